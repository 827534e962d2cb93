import Core
import FirestoreModel

/// The changes that one request makes to an account.
struct AccountUpdate {
  /// The account as changed so far.
  var account: Account
  private let old: Account
  private let isAnonymous: Bool
  private let time: Timestamp

  /// Creates an update of an account.
  ///
  /// - Parameter isAnonymous: A Boolean value that indicates whether the user is signed in
  ///   anonymously.
  init(_ account: Account, isAnonymous: Bool, time: Timestamp) {
    self.account = account
    self.isAnonymous = isAnonymous
    self.time = time
    old = account
  }

  /// A Boolean value that indicates whether the change makes earlier tokens invalid.
  private(set) var revokesTokens = false

  /// A Boolean value that indicates whether the user has set a password, with which the user counts
  /// as signed in from now on.
  private(set) var setsPassword = false

  /// The email address that the change has replaced, to which its owner can return, or `nil`.
  var replacedEmail: String? {
    guard let email = old.email, !isAnonymous, let new = account.email,
      !new.hasSameBytes(as: email)
    else { return nil }
    return email
  }

  // MARK: Everybody's changes

  /// Makes the changes that clients may make to their own accounts.
  mutating func apply(
    _ fields: RequestFields,
    in edit: AccountEdit,
    ids: RandomText
  ) throws(AuthenticationError) {
    account.unlink(try fields.strings("deleteProvider"))
    for attribute in try fields.strings("deleteAttribute") { try delete(attribute) }
    account.displayName = try fields.string("displayName") ?? account.displayName
    account.photoUrl = try fields.string("photoUrl") ?? account.photoUrl
    if let text = try fields.text("email") { try setEmail(text, in: edit) }
    if let verified = try fields.boolean("emailVerified"), account.email != nil, isPrivileged {
      account.emailVerified = verified
    }
    if let password = try fields.text("password") {
      account.setPassword(try NewPassword(password, ids: ids), at: time)
      revokesTokens = true
      setsPassword = true
    }
  }

  private mutating func delete(_ attribute: String) throws(AuthenticationError) {
    switch attribute {
    case "EMAIL": account.removeEmail()
    case "DISPLAY_NAME": account.displayName = nil
    case "PHOTO_URL": account.photoUrl = nil
    case "PASSWORD": account.password = nil
    case "PROVIDER": account.linkedProviders = []
    case "USER_ATTRIBUTE_NAME_UNSPECIFIED", "RAW_USER_INFO": break
    default: throw .invalidPayload("/deleteAttribute must not be \(quoted(attribute))")
    }
  }

  private mutating func setEmail(
    _ text: String,
    in edit: AccountEdit
  ) throws(AuthenticationError) {
    let email = try EmailAddress.check(text)
    if account.email?.hasSameBytes(as: email) == true { return }
    // Otherwise, the answer would show whether the address has an account.
    // Source: cloud.google.com/identity-platform/docs/admin/email-enumeration-protection.
    guard isPrivileged || !edit.settings.hidesEmails else {
      throw .refused(
        "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
      )
    }
    guard !edit.isTaken(email: email, from: old.localId) else { throw .refused("EMAIL_EXISTS") }
    if let previous = old.email, !isAnonymous {
      account.initialEmail = account.initialEmail ?? previous
    }
    account.email = email
    account.emailVerified = false
    account.validSince = time.seconds
    revokesTokens = true
  }

  // MARK: Administrators' changes

  private var isPrivileged = false

  /// Makes the changes that only administrators may make.
  mutating func applyForAdministrator(
    _ fields: RequestFields,
    in edit: AccountEdit
  ) throws(AuthenticationError) {
    isPrivileged = true
    if let disabled = try fields.boolean("disableUser") { account.disabled = disabled }
    if let number = try fields.text("phoneNumber") { try setPhoneNumber(number, in: edit) }
    if let claims = try fields.string("customAttributes") {
      if !claims.isEmpty, let failure = CustomClaims.failure(of: claims) { throw failure.error }
      account.customAttributes = claims
    }
    if let time = try fields.integer("validSince") { account.validSince = time }
    if let time = try fields.integer("createdAt") { account.createdAt = time }
    if let time = try fields.integer("lastLoginAt") { account.lastLoginAt = time }
    if let provider = try fields.object("linkProviderUserInfo") { try link(provider, in: edit) }
  }

  private mutating func setPhoneNumber(
    _ text: String,
    in edit: AccountEdit
  ) throws(AuthenticationError) {
    let number = try PhoneNumber.check(text)
    guard !edit.isTaken(phoneNumber: number, from: old.localId) else {
      throw .refused("PHONE_NUMBER_EXISTS")
    }
    account.phoneNumber = number
  }

  private mutating func link(
    _ fields: RequestFields,
    in edit: AccountEdit
  ) throws(AuthenticationError) {
    guard let id = try fields.text("providerId"), let rawId = try fields.text("rawId") else {
      throw .refused("INVALID_PROVIDER_ID")
    }
    switch id {
    case Account.passwordProvider: try setEmail(rawId, in: edit)
    case Account.phoneProvider: try setPhoneNumber(rawId, in: edit)
    default:
      guard !edit.isTaken(provider: id, rawId: rawId, from: old.localId) else {
        throw .refused("FEDERATED_USER_ID_ALREADY_LINKED")
      }
      account.link(try LinkedProvider(providerId: id, rawId: rawId, fields: fields))
    }
  }
}
