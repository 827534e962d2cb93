package import Core

/// The durable record of accounts. It is written before a change becomes visible.
package protocol AccountJournal: Sendable {
  /// Writes the changes of one operation, all or none. When it returns, a crash can no longer lose
  /// them.
  ///
  /// - Throws: The error for the client. The change is then dropped.
  func record(_ changes: [AccountChange]) async throws(StatusError)
}

/// A change that a journal records.
package enum AccountChange: Sendable {
  /// The new state of an account.
  case account(Account)
  /// The deletion of the account with an ID.
  case deletion(String)
  case settings(AuthenticationSettings)
}

/// The initial contents of an account store.
package struct AccountContents: Sendable {
  package var accounts: [Account]
  package var settings: AuthenticationSettings

  package init(
    accounts: [Account] = [],
    settings: AuthenticationSettings = AuthenticationSettings()
  ) {
    self.accounts = accounts
    self.settings = settings
  }
}
