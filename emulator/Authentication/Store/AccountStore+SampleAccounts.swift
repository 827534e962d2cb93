import Core
package import FirestoreModel

extension AccountStore {
  /// Adds verified accounts with an email address and a password. An account whose ID or email
  /// address exists is left out.
  ///
  /// - Parameters:
  ///   - people: The accounts without their passwords.
  ///   - password: The password of all accounts, or `nil` if they have none.
  ///   - now: The time of creation.
  /// - Returns: The email addresses of those people who can sign in with the password. Earlier
  ///   accounts may have another one by now.
  /// - Throws: The journal's error.
  package func addSampleAccounts(
    _ people: [Account],
    password: String?,
    at now: Timestamp
  ) async throws(AuthenticationError) -> [String] {
    try await write { edit throws(AuthenticationError) in
      for var account in people {
        guard edit[account.localId] == nil,
          account.email.map({ edit.account(email: $0) == nil }) ?? true
        else { continue }
        account.emailVerified = true
        account.createdAt = now.milliseconds
        if let password {
          account.setPassword(NewPassword(password, salt: "fakeSalt" + account.localId), at: now)
        }
        edit.set(account)
      }
      return people.compactMap(\.email).filter { email in
        let account = edit.account(email: email)
        guard account?.disabled != true, let password, let stored = account?.password else {
          return false
        }
        return NewPassword.matches(password, stored)
      }
    }
  }
}
