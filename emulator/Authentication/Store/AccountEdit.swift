import Core

/// A view of the accounts and codes in which one operation makes its changes. They become visible
/// to others together, or not at all.
struct AccountEdit {
  private let table: AccountTable
  private let codes: PendingCodes<OutOfBandCode>
  private let verifications: PendingCodes<PhoneVerification>
  /// The accounts that this operation has changed or added.
  private var changed = AccountTable()
  /// The IDs of the accounts that this operation has changed, added or deleted.
  private var touched: Set<ByteKey> = []
  private let oldSettings: AuthenticationSettings

  var settings: AuthenticationSettings
  /// The time from which ID tokens count as not expired, in seconds since 1970.
  let expiryHorizon: Int64
  /// The codes that this operation sends.
  private(set) var newCodes: [OutOfBandCode] = []
  /// The codes that this operation has used.
  private(set) var usedCodes: [String] = []
  /// The verifications of phone numbers that this operation begins.
  private(set) var newVerifications: [PhoneVerification] = []
  /// The sessions and proofs of the verifications that this operation has completed.
  private(set) var usedVerifications: [String] = []

  init(
    _ table: AccountTable,
    codes: PendingCodes<OutOfBandCode>,
    verifications: PendingCodes<PhoneVerification>,
    settings: AuthenticationSettings,
    expiryHorizon: Int64
  ) {
    self.table = table
    self.codes = codes
    self.verifications = verifications
    self.settings = settings
    self.expiryHorizon = expiryHorizon
    oldSettings = settings
  }

  // MARK: Reading

  subscript(id: String) -> Account? {
    touched.contains(ByteKey(id)) ? changed[id] : table[id]
  }

  /// Returns the account with an email address in lower case.
  func account(email: String) -> Account? {
    account(changed.id(ofEmail: email), table.id(ofEmail: email))
  }

  func account(phoneNumber: String) -> Account? {
    account(changed.id(ofPhoneNumber: phoneNumber), table.id(ofPhoneNumber: phoneNumber))
  }

  func account(provider: String, rawId: String) -> Account? {
    account(
      changed.id(ofProvider: provider, rawId: rawId),
      table.id(ofProvider: provider, rawId: rawId)
    )
  }

  /// Returns the account that an index names.
  ///
  /// - Parameters:
  ///   - changedID: The account in the index of changed accounts.
  ///   - id: The account in the index as it was before this operation. If the operation has touched
  ///     the account, the entry is obsolete.
  private func account(_ changedID: ByteKey?, _ id: ByteKey?) -> Account? {
    if let changedID { return changed[changedID.string] }
    guard let id, !touched.contains(id) else { return nil }
    return table[id.string]
  }

  /// Returns whether an email address belongs to another account than that with an ID.
  func isTaken(email: String, from id: String) -> Bool {
    Self.isAnother(account(email: email), than: id)
  }

  /// Returns whether a phone number belongs to another account than that with an ID.
  func isTaken(phoneNumber: String, from id: String) -> Bool {
    Self.isAnother(account(phoneNumber: phoneNumber), than: id)
  }

  /// Returns whether a provider's identity belongs to another account than that with an ID.
  func isTaken(provider: String, rawId: String, from id: String) -> Bool {
    Self.isAnother(account(provider: provider, rawId: rawId), than: id)
  }

  private static func isAnother(_ account: Account?, than id: String) -> Bool {
    account.map { !$0.localId.hasSameBytes(as: id) } ?? false
  }

  /// Returns the name of the identifier that an account shares with another account, or `nil` if it
  /// shares none.
  func conflict(of account: Account) -> String? {
    let id = account.localId
    if let email = account.email, isTaken(email: email, from: id) { return "email" }
    if let number = account.phoneNumber, isTaken(phoneNumber: number, from: id) {
      return "phone number"
    }
    let isShared = account.linkedProviders.contains {
      isTaken(provider: $0.providerId, rawId: $0.rawId, from: id)
    }
    return isShared ? "raw id" : nil
  }

  func code(_ text: String) -> OutOfBandCode? { codes[text] }

  /// Returns the verification with a session or a temporary proof.
  func verification(_ text: String) -> PhoneVerification? { verifications[text] }

  // MARK: Changing

  /// Adds an account, or replaces the one with the same ID.
  mutating func set(_ account: Account) {
    touched.insert(ByteKey(account.localId))
    changed.set(account)
  }

  mutating func delete(_ id: String) {
    touched.insert(ByteKey(id))
    changed.remove(id)
  }

  /// Deletes all accounts.
  mutating func deleteAll() {
    for account in table.accounts(after: nil, atMost: .max) { delete(account.localId) }
  }

  mutating func send(_ code: OutOfBandCode) { newCodes.append(code) }

  /// Marks a code as used, so that it can't be used again.
  mutating func use(_ code: OutOfBandCode) { usedCodes.append(code.oobCode) }

  mutating func send(_ verification: PhoneVerification) { newVerifications.append(verification) }

  /// Marks a verification as completed, so that it can't be used again.
  mutating func use(_ verification: PhoneVerification) {
    usedVerifications.append(verification.sessionInfo)
  }

  /// The changes for the journal.
  var changes: [AccountChange] {
    var changes: [AccountChange] = touched.map { id in
      changed[id.string].map(AccountChange.account) ?? .deletion(id.string)
    }
    if settings != oldSettings { changes.append(.settings(settings)) }
    return changes
  }
}
