package import Core
package import Store

/// The accounts and settings as records in the journal of Firestore's store.
package struct AccountRecords: AccountJournal {
  private let store: Store
  private let keys: Keys

  /// Creates a journal that writes into a store's journal, if that store has one.
  ///
  /// - Parameter project: The project of the accounts. A store has the accounts of several projects,
  ///   as it has their documents.
  package init(in store: Store, of project: String) {
    self.store = store
    keys = Keys(project: project)
  }

  /// The keys of a project's records.
  fileprivate struct Keys {
    let accountPrefix: String
    let settings: String

    init(project: String) {
      accountPrefix = "account/\(project)/"
      settings = "authenticationSettings/\(project)"
    }
  }

  package func record(_ changes: [AccountChange]) async throws(StatusError) {
    var records: [JournalRecord] = []
    for change in changes {
      let (key, json): (String, JSONValue?) =
        switch change {
        case .account(let account): (keys.accountPrefix + account.localId, account.json)
        case .deletion(let id): (keys.accountPrefix + id, nil)
        case .settings(let settings): (keys.settings, settings.json)
        }
      records.append(JournalRecord(key: key, content: try json.map(Self.encode)))
    }
    try await store.keep(records)
  }

  private static func encode(_ json: JSONValue) throws(StatusError) -> Data {
    do {
      return try JSON.encode(json)
    } catch {
      throw StatusError(.internal, "the account can't be encoded")
    }
  }
}

extension AccountContents {
  /// Creates the contents from a journal's records. Records of other components and projects are
  /// ignored.
  ///
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  package init(
    records: [String: Data],
    of project: String
  ) throws(StatusError) {
    self.init()
    let keys = AccountRecords.Keys(project: project)
    for (key, content) in records {
      let isAccount = key.utf8.starts(with: keys.accountPrefix.utf8)
      guard isAccount || key.hasSameBytes(as: keys.settings) else { continue }
      do {
        let json = try JSONValue(parsing: content)
        if isAccount {
          accounts.append(try Account(json: json))
        } else {
          settings = try AuthenticationSettings(json: json)
        }
      } catch {
        throw StatusError(.dataLoss, "the record \(quoted(key)) of an account can't be decoded")
      }
    }
  }
}
