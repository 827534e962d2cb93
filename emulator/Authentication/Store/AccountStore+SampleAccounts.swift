import Core
package import FirestoreModel

extension AccountStore {
  /// Adds a verified account, unless an account has its ID or email address.
  ///
  /// - Parameters:
  ///   - account: The account without its password.
  ///   - password: The password, or `nil` if the account has none.
  ///   - now: The time of creation.
  /// - Returns: Whether the account is new.
  /// - Throws: The journal's error.
  package func addSampleAccount(
    _ account: Account,
    password: String?,
    at now: Timestamp
  ) async throws(AuthenticationError) -> Bool {
    try await write { $0.addSampleAccount(account, password: password, at: now) }
  }

  /// Adds verified accounts with an email address and a password. An account whose ID or email
  /// address exists is left out.
  ///
  /// - Parameters:
  ///   - people: The accounts without their passwords.
  ///   - password: The password of all accounts.
  ///   - now: The time of creation.
  /// - Returns: The email addresses of those people who can sign in with the password. Earlier
  ///   accounts may have another one by now.
  /// - Throws: The journal's error.
  package func addSampleAccounts(
    _ people: [Account],
    password: String,
    at now: Timestamp
  ) async throws(AuthenticationError) -> [String] {
    try await write { edit throws(AuthenticationError) in
      for account in people { _ = edit.addSampleAccount(account, password: password, at: now) }
      return people.compactMap(\.email).filter { email in
        let account = edit.account(email: email)
        guard account?.disabled != true, let stored = account?.password else { return false }
        return NewPassword.matches(password, stored)
      }
    }
  }
}

extension AccountEdit {
  /// Adds a verified account, unless an account has its ID or email address. Returns whether it is
  /// new.
  fileprivate mutating func addSampleAccount(
    _ account: Account,
    password: String?,
    at now: Timestamp
  ) -> Bool {
    guard self[account.localId] == nil,
      account.email.map({ self.account(email: $0) == nil }) ?? true
    else { return false }
    var account = account
    account.emailVerified = true
    account.createdAt = now.milliseconds
    if let password {
      account.setPassword(NewPassword(password, salt: "fakeSalt" + account.localId), at: now)
    }
    set(account)
    return true
  }
}
