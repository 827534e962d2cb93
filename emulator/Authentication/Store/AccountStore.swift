import Core
import Synchronization

/// The accounts of one project, in memory.
///
/// One operation changes accounts at a time. Its changes are recorded in the journal before anybody
/// can see them. Reads don't wait for that.
package final class AccountStore: Sendable {
  private struct State: Sendable {
    var table = AccountTable()
    var codes = PendingCodes<OutOfBandCode>()
    var verifications = PendingCodes<PhoneVerification>()
    var settings = AuthenticationSettings()
    var expiryHorizon: Int64 = 0

    /// Removes the codes that were sent to users whose accounts are to be deleted.
    mutating func removeCodes(of changes: [AccountChange]) {
      var (ids, identifiers): (Set<ByteKey>, Set<ByteKey>) = ([], [])
      for case .deletion(let id) in changes {
        ids.insert(ByteKey(id))
        guard let account = table[id] else { continue }
        for text in [account.email, account.phoneNumber] {
          if let text { identifiers.insert(ByteKey(text)) }
        }
      }
      guard !ids.isEmpty else { return }
      codes.removeAll { code in
        code.localId.map { ids.contains(ByteKey($0)) } ?? identifiers.contains(ByteKey(code.email))
      }
      verifications.removeAll { identifiers.contains(ByteKey($0.phoneNumber)) }
    }

    var edit: AccountEdit {
      AccountEdit(
        table,
        codes: codes,
        verifications: verifications,
        settings: settings,
        expiryHorizon: expiryHorizon
      )
    }
  }

  /// The outcome of an operation whose changes aren't visible yet.
  private struct Outcome<Result: Sendable>: Sendable {
    var result: Result
    var changes: [AccountChange]
    var newCodes: [OutOfBandCode]
    var usedCodes: [String]
    var newVerifications: [PhoneVerification]
    var usedVerifications: [String]
  }

  private let state: Mutex<State>
  private let expiryObservers = ExpiryObservers()
  private let journal: (any AccountJournal)?
  /// The permit to change accounts. The lock isn't held while the journal writes.
  private let writer = AsyncSemaphore(limit: 1)

  /// Creates a store.
  ///
  /// - Parameter journal: The journal that keeps changes, or `nil` to keep none.
  package init(
    _ contents: AccountContents = AccountContents(),
    journal: (any AccountJournal)? = nil
  ) {
    var state = State()
    state.settings = contents.settings
    for account in contents.accounts { state.table.set(account) }
    self.state = Mutex(state)
    self.journal = journal
  }

  // MARK: Reading

  package var count: Int { state.withLock { $0.table.count } }

  package var settings: AuthenticationSettings { state.withLock { $0.settings } }

  /// The time from which ID tokens count as not expired, in seconds since 1970.
  var expiryHorizon: Int64 { state.withLock { $0.expiryHorizon } }

  /// The codes that wait to be used, oldest first.
  package var codes: [OutOfBandCode] { state.withLock { $0.codes.all } }

  /// The verifications of phone numbers that wait to be completed, oldest first.
  package var verifications: [PhoneVerification] { state.withLock { $0.verifications.all } }

  package subscript(id: String) -> Account? { state.withLock { $0.table[id] } }

  /// Returns the account with an email address.
  package func account(email: String) -> Account? {
    let email = EmailAddress.canonical(email)
    return state.withLock { state in
      state.table.id(ofEmail: email).flatMap { state.table[$0.string] }
    }
  }

  package func account(phoneNumber: String) -> Account? {
    state.withLock { state in
      state.table.id(ofPhoneNumber: phoneNumber).flatMap { state.table[$0.string] }
    }
  }

  /// Returns the account that is linked with an account at a provider.
  package func account(provider: String, rawId: String) -> Account? {
    state.withLock { state in
      state.table.id(ofProvider: provider, rawId: rawId).flatMap { state.table[$0.string] }
    }
  }

  /// Returns the accounts in the order of their IDs.
  ///
  /// - Parameters:
  ///   - id: The ID before the first account, or `nil` to begin with the first one.
  ///   - count: The maximum number of accounts.
  package func accounts(after id: String? = nil, atMost count: Int = .max) -> [Account] {
    state.withLock { $0.table.accounts(after: id, atMost: count) }
  }

  func code(_ text: String) -> OutOfBandCode? { state.withLock { $0.codes[text] } }

  // MARK: Changing

  /// Runs an operation, and returns its result after its changes are recorded.
  ///
  /// - Throws: The operation's error or the journal's. Then nothing has changed.
  func write<Result: Sendable>(
    _ operation: (inout AccountEdit) throws(AuthenticationError) -> Result
  ) async throws(AuthenticationError) -> Result {
    guard case .acquired = await writer.wait() else {
      throw AuthenticationError(StatusError(.cancelled, "the request was cancelled"))
    }
    defer { writer.signal() }
    let outcome = try run(operation)
    if let journal, !outcome.changes.isEmpty {
      do throws(StatusError) {
        try await journal.record(outcome.changes)
      } catch {
        throw AuthenticationError(error)
      }
    }
    apply(outcome)
    return outcome.result
  }

  /// Runs an operation on a view of the current state. When this returns, the view is released, so
  /// that the changes can be applied without copying the table.
  private func run<Result: Sendable>(
    _ operation: (inout AccountEdit) throws(AuthenticationError) -> Result
  ) throws(AuthenticationError) -> Outcome<Result> {
    var edit = state.withLock { $0.edit }
    let result = try operation(&edit)
    return Outcome(
      result: result,
      changes: edit.changes,
      newCodes: edit.newCodes,
      usedCodes: edit.usedCodes,
      newVerifications: edit.newVerifications,
      usedVerifications: edit.usedVerifications
    )
  }

  private func apply<Result>(_ outcome: Outcome<Result>) {
    state.withLock { state in
      state.removeCodes(of: outcome.changes)
      for change in outcome.changes {
        switch change {
        case .account(let account): state.table.set(account)
        case .deletion(let id): state.table.remove(id)
        case .settings(let settings): state.settings = settings
        }
      }
      for code in outcome.usedCodes { state.codes.remove(code) }
      for code in outcome.newCodes { state.codes.add(code, for: code.oobCode) }
      for text in outcome.usedVerifications { state.verifications.remove(text) }
      for verification in outcome.newVerifications {
        state.verifications.add(verification, for: verification.sessionInfo)
      }
    }
  }

  /// Makes all ID tokens issued so far expire at once, as if an hour had passed. Clients get new
  /// ones with their refresh tokens.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func expireIDTokens(at now: Int64) {
    // Tokens have times in whole seconds. So tokens of this second count as issued in the next one.
    state.withLock { $0.expiryHorizon = max($0.expiryHorizon, now + 1) }
    expiryObservers.notify()
  }

  /// Calls a closure whenever all ID tokens expire, as long as the returned object exists.
  package func onExpiry(_ action: @escaping @Sendable () -> Void) -> ExpiryObservation {
    expiryObservers.add(action)
  }
}
