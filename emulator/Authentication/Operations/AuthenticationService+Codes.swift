import Core
import FirestoreModel

/// The codes that Firebase sends by email. The emulator sends none: tests and the pages read them.
extension AuthenticationService {
  /// Creates a code for the owner of an email address.
  func sendOobCode(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject
  {
    let fields = request.fields
    guard let type = try fields.text("requestType"), type != "OOB_REQ_TYPE_UNSPECIFIED" else {
      throw .refused("MISSING_REQ_TYPE")
    }
    guard let purpose = OutOfBandCode.Purpose(rawValue: type), purpose != .recoverEmail else {
      throw .unimplemented("\(quoted(type)) is not implemented in the Auth Emulator.")
    }
    let returnsLink = try fields.boolean("returnOobLink") ?? false
    guard !returnsLink || request.isAdministrator else {
      throw .refused("INSUFFICIENT_PERMISSION")
    }
    let continueURL = try fields.text("continueUrl")
    guard continueURL.map({ ContinueURL($0) != nil }) ?? true else {
      throw .refused(
        "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
      )
    }
    let time = now()
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      var body: JSONObject = ["kind": .string("identitytoolkit#GetOobConfirmationCodeResponse")]
      let recipient = try recipient(of: purpose, request, in: edit)
      body["email"] = .string(recipient.email)
      // With protection against email enumeration, the response doesn't show who has an account.
      guard recipient.getsCode else { return body }
      let code = OutOfBandCode(
        purpose,
        email: recipient.email,
        newEmail: recipient.newEmail,
        localId: recipient.localId,
        code: newCode,
        at: time,
        origin: request.origin,
        continueURL: continueURL
      )
      edit.send(code)
      if returnsLink {
        body["oobCode"] = .string(code.oobCode)
        body["oobLink"] = .string(code.oobLink)
      }
      return body
    }
  }

  /// Returns a text for a new code.
  var newCode: String { ids.base64URL(54) }

  /// The recipient of a code: an email address and, if there is one, its account.
  private struct Recipient {
    var email: String
    /// The new address, if it is to be changed.
    var newEmail: String?
    /// The ID of the account, if the code is for one.
    var localId: String?
    var getsCode = true
  }

  private func recipient(
    of purpose: OutOfBandCode.Purpose,
    _ request: AuthenticationRequest,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> Recipient {
    let fields = request.fields
    switch purpose {
    case .emailSignIn:
      guard edit.settings.allowsEmailLinks else { throw .refused("OPERATION_NOT_ALLOWED") }
      return Recipient(email: try email(of: fields))
    case .passwordReset, .recoverEmail:
      let email = try email(of: fields)
      let owner = edit.account(email: email)
      guard owner != nil || edit.settings.hidesEmails else { throw .refused("EMAIL_NOT_FOUND") }
      return Recipient(email: email, localId: owner?.localId, getsCode: owner != nil)
    case .verifyEmail, .verifyAndChangeEmail:
      let newEmail = try fields.text("newEmail")
      guard newEmail != nil || purpose == .verifyEmail else { throw .refused("MISSING_NEW_EMAIL") }
      let account: Account
      if let token = try fields.text("idToken") {
        account = try edit.user(ofIDToken: token, project: project).account
      } else {
        guard request.isAdministrator else {
          throw .refused(purpose == .verifyEmail ? "INVALID_ID_TOKEN" : "MISSING_ID_TOKEN")
        }
        guard let owner = edit.account(email: try email(of: fields)) else {
          throw .refused("USER_NOT_FOUND")
        }
        account = owner
      }
      guard let email = account.email else { throw .refused("MISSING_EMAIL") }
      var recipient = Recipient(email: email, localId: account.localId)
      guard purpose == .verifyAndChangeEmail, let newEmail else { return recipient }
      let checked = try EmailAddress.check(newEmail, or: "INVALID_NEW_EMAIL")
      recipient.newEmail = checked
      if edit.account(email: checked) != nil {
        guard edit.settings.hidesEmails else { throw .refused("EMAIL_EXISTS") }
        recipient.getsCode = false
      }
      return recipient
    }
  }

  private func email(of fields: RequestFields) throws(AuthenticationError) -> String {
    guard let text = try fields.text("email") else { throw .refused("MISSING_EMAIL") }
    return try EmailAddress.check(text)
  }

  // MARK: Use

  /// Tells what a code is for or, with a new password, uses a code to set it.
  func resetPassword(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    let (time, fields) = (now(), request.fields)
    guard let text = try fields.text("oobCode") else { throw .refused("MISSING_OOB_CODE") }
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      guard edit.settings.allowsPasswords else { throw .refused("PASSWORD_LOGIN_DISABLED") }
      guard let code = edit.code(text) else { throw .refused("INVALID_OOB_CODE") }
      if let password = try fields.text("newPassword") {
        try setPassword(password, by: code, in: &edit, at: time)
      }
      var body: JSONObject = [
        "kind": .string("identitytoolkit#ResetPasswordResponse"),
        "requestType": .string(code.purpose.rawValue),
      ]
      // The user must enter the address that signs in, to prove to know it.
      body["email"] = code.purpose == .emailSignIn ? nil : .string(code.email)
      body["newEmail"] = code.newEmail.map(JSONValue.string)
      return body
    }
  }

  /// Returns the account for which a code was sent, or `nil` if it is gone or has another address
  /// now. A code never changes the account of whoever has the address later.
  private func owner(of code: OutOfBandCode, in edit: AccountEdit) -> Account? {
    guard let account = code.localId.flatMap({ edit[$0] }) else { return nil }
    let hasAddress = account.email?.hasSameBytes(as: code.email) ?? false
    return hasAddress || code.purpose == .recoverEmail ? account : nil
  }

  /// Sets the password of a code's account. As in Firebase's emulator, the identities at other
  /// providers are unlinked: somebody else may have linked them before the address was verified.
  func setPassword(
    _ password: String,
    by code: OutOfBandCode,
    in edit: inout AccountEdit,
    at time: Timestamp
  ) throws(AuthenticationError) {
    guard edit.code(code.oobCode) != nil, code.purpose == .passwordReset,
      var account = owner(of: code, in: edit)
    else { throw .refused("INVALID_OOB_CODE") }
    guard account.disabled != true else { throw .refused("USER_DISABLED") }
    account.setPassword(try NewPassword(password, ids: ids), at: time)
    account.emailVerified = true
    account.linkedProviders = []
    edit.set(account)
    edit.use(code)
  }

  /// Uses a code that verifies, changes or restores an email address.
  ///
  /// - Returns: The account after the change.
  func useEmailCode(
    _ text: String,
    in edit: inout AccountEdit,
    at time: Timestamp
  ) throws(AuthenticationError) -> Account {
    guard let code = edit.code(text), var account = owner(of: code, in: edit) else {
      throw .refused("INVALID_OOB_CODE")
    }
    switch code.purpose {
    case .verifyEmail: break
    case .recoverEmail: try setEmail(code.email, of: &account, in: edit, at: time)
    case .verifyAndChangeEmail:
      guard let email = code.newEmail else { throw .refused("INVALID_OOB_CODE") }
      try setEmail(email, of: &account, in: edit, at: time)
    case .passwordReset, .emailSignIn: throw .refused("INVALID_OOB_CODE")
    }
    account.emailVerified = true
    edit.set(account)
    edit.use(code)
    return account
  }

  private func setEmail(
    _ email: String,
    of account: inout Account,
    in edit: AccountEdit,
    at time: Timestamp
  ) throws(AuthenticationError) {
    guard !edit.isTaken(email: email, from: account.localId) else { throw .refused("EMAIL_EXISTS") }
    account.email = email
    account.validSince = time.seconds
  }
}
