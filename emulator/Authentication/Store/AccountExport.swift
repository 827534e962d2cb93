package import Core
import Persistence

/// The accounts and settings in exports, in the layout of Firebase's tools: `accounts.json` has the
/// accounts as UserInfos, and `config.json` has the settings.
package struct AccountExport: ExportedService {
  package static let name = "auth"

  private static let accountsFile = "accounts.json"
  private static let settingsFile = "config.json"
  /// The maximum size of each file in mebibytes. A million accounts have about half of it.
  private static let maximumSize = 1_024
  /// The maximum number of accounts that a result names.
  private static let maximumNames = 5

  private let store: AccountStore

  package init(of store: AccountStore) { self.store = store }

  package var name: String { Self.name }

  // MARK: Export

  package func write(to folder: String) throws(StatusError) -> String? {
    let accounts = store.accounts()
    // It has readable passwords.
    let file = try FileOutput(path: "\(folder)/\(Self.accountsFile)", permissions: 0o600)
    try file.write(Data(#"{"kind":"identitytoolkit#DownloadAccountResponse","users":["#.utf8))
    // Each account has a line, so that two exports are easy to compare.
    for (index, account) in accounts.enumerated() {
      try file.write(Data((index == 0 ? "\n" : ",\n").utf8))
      try file.write(try Self.encode(account.json))
    }
    try file.write(Data("\n]}\n".utf8))
    _ = try file.finish()
    let settings = try FileOutput(path: "\(folder)/\(Self.settingsFile)")
    try settings.write(try Self.encode(store.settings.json) + Data("\n".utf8))
    _ = try settings.finish()
    return Self.words(for: accounts.count)
  }

  private static func encode(_ json: JSONValue) throws(StatusError) -> Data {
    guard let data = try? JSON.encode(json) else {
      throw StatusError(.internal, "an account can't be encoded")
    }
    return data
  }

  private static func words(for count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "1 account"
    default: "\(count) accounts"
    }
  }

  // MARK: Import

  /// Reads accounts and settings. An account replaces the one with the same ID; the others stay.
  ///
  /// An account is left out, and named in the result, if its email address, phone number or identity
  /// belongs to another account. So an emulator with `--data` and `--import` starts even if its
  /// users have changed their addresses since the export.
  package func read(
    from folder: String
  ) throws(StatusError) -> @Sendable () async throws(StatusError) -> String? {
    let accounts = try Self.accounts(in: "\(folder)/\(Self.accountsFile)")
    let settings = try Self.settings(in: "\(folder)/\(Self.settingsFile)")
    let store = store
    return { () async throws(StatusError) in
      let conflicts = try await store.add(accounts, settings: settings)
      guard !conflicts.isEmpty else { return Self.words(for: accounts.count) }
      let named = conflicts.prefix(Self.maximumNames).map { quoted($0.id) + "'s \($0.identifier)" }
      let more = conflicts.count > named.count ? " and others" : ""
      return (Self.words(for: accounts.count - conflicts.count) ?? "no accounts")
        + " (not imported, because other accounts have them: "
        + named.joined(separator: ", ") + more + ")"
    }
  }

  private static func accounts(in path: String) throws(StatusError) -> [Account] {
    guard let users = try json(in: path)["users"]?.array else {
      throw StatusError(.invalidArgument, "\(path) has no array `users`")
    }
    var accounts: [Account] = []
    for (index, user) in users.enumerated() {
      do throws(AuthenticationError) {
        let account = try Account(json: user)
        try account.check()
        accounts.append(account)
      } catch {
        throw StatusError(.invalidArgument, "\(path): users[\(index)]: \(error.message)")
      }
    }
    return accounts
  }

  /// Returns the settings in a file, or `nil` if the file doesn't exist.
  private static func settings(
    in path: String
  ) throws(StatusError) -> AuthenticationSettings? {
    let settings: JSONValue
    do throws(StatusError) {
      settings = try json(in: path)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
    do throws(AuthenticationError) {
      return try AuthenticationSettings(json: settings)
    } catch {
      throw StatusError(.invalidArgument, "\(path): \(error.message)")
    }
  }

  private static func json(in path: String) throws(StatusError) -> JSONValue {
    let data = try FileInput.all(of: path, atMost: maximumSize)
    guard let json = try? JSONValue(parsing: data), json.object != nil else {
      throw StatusError(.invalidArgument, "\(path) is not a JSON object, or is cut off")
    }
    return json
  }
}

extension AccountStore {
  /// Adds accounts, and replaces those with the same IDs.
  ///
  /// - Parameter settings: The new settings, or `nil` to keep the present ones.
  /// - Returns: The IDs of the accounts that weren't added, each with the name of the identifier
  ///   that belongs to another account.
  fileprivate func add(
    _ accounts: [Account],
    settings: AuthenticationSettings?
  ) async throws(StatusError) -> [(id: String, identifier: String)] {
    do throws(AuthenticationError) {
      return try await write { edit throws(AuthenticationError) in
        if let settings { edit.settings = settings }
        var conflicts: [(id: String, identifier: String)] = []
        for account in accounts {
          if let identifier = edit.conflict(of: account) {
            conflicts.append((account.localId, identifier))
          } else {
            edit.set(account)
          }
        }
        return conflicts
      }
    } catch {
      throw error.statusError
    }
  }
}
