package import Core
package import Store

/// The accounts and settings as records in the journal of Firestore's store.
package struct AccountRecords: AccountJournal {
  fileprivate static let accountPrefix = "account/"
  fileprivate static let settingsKey = "authenticationSettings"

  private let store: Store

  /// Creates a journal that writes into a store's journal, if that store has one.
  package init(in store: Store) { self.store = store }

  package func record(_ changes: [AccountChange]) async throws(StatusError) {
    var records: [JournalRecord] = []
    for change in changes {
      let (key, json): (String, JSONValue?) =
        switch change {
        case .account(let account): (Self.accountPrefix + account.localId, account.json)
        case .deletion(let id): (Self.accountPrefix + id, nil)
        case .settings(let settings): (Self.settingsKey, settings.json)
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
  /// Creates the contents from a journal's records. Records of other components are ignored.
  ///
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  package init(records: [String: Data]) throws(StatusError) {
    self.init()
    for (key, content) in records {
      let isAccount = key.hasPrefix(AccountRecords.accountPrefix)
      guard isAccount || key.hasSameBytes(as: AccountRecords.settingsKey) else { continue }
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
