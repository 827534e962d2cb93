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
      let (email, newEmail, hasOwner) = try addresses(of: purpose, request, in: edit)
      body["email"] = .string(email)
      // With protection against email enumeration, the response doesn't show who has an account.
      guard hasOwner else { return body }
      let code = OutOfBandCode(
        purpose,
        email: email,
        newEmail: newEmail,
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

  /// Returns the email address that gets a code, the new address if it is to be changed, and whether
  /// a code may be created.
  private func addresses(
    of purpose: OutOfBandCode.Purpose,
    _ request: AuthenticationRequest,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> (email: String, newEmail: String?, hasOwner: Bool) {
    let fields = request.fields
    switch purpose {
    case .emailSignIn:
      guard edit.settings.allowsEmailLinks else { throw .refused("OPERATION_NOT_ALLOWED") }
      return (try email(of: fields), nil, true)
    case .passwordReset, .recoverEmail:
      let email = try email(of: fields)
      let hasOwner = edit.account(email: email) != nil
      guard hasOwner || edit.settings.hidesEmails else { throw .refused("EMAIL_NOT_FOUND") }
      return (email, nil, hasOwner)
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
      guard purpose == .verifyAndChangeEmail, let newEmail else { return (email, nil, true) }
      let checked = try EmailAddress.check(newEmail, or: "INVALID_NEW_EMAIL")
      guard edit.account(email: checked) == nil else { throw .refused("EMAIL_EXISTS") }
      return (email, checked, true)
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

  /// Sets the password of the account with a code's email address.
  func setPassword(
    _ password: String,
    by code: OutOfBandCode,
    in edit: inout AccountEdit,
    at time: Timestamp
  ) throws(AuthenticationError) {
    guard edit.code(code.oobCode) != nil, code.purpose == .passwordReset,
      var account = edit.account(email: code.email)
    else {
      throw .refused("INVALID_OOB_CODE")
    }
    guard account.disabled != true else { throw .refused("USER_DISABLED") }
    account.setPassword(try NewPassword(password, ids: ids), at: time)
    account.emailVerified = true
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
    guard let code = edit.code(text) else { throw .refused("INVALID_OOB_CODE") }
    let owner =
      code.purpose == .recoverEmail
      ? code.localId.flatMap { edit[$0] } : edit.account(email: code.email)
    guard var account = owner else { throw .refused("INVALID_OOB_CODE") }
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
    guard edit.account(email: email).map({ $0.localId.hasSameBytes(as: account.localId) }) ?? true
    else { throw .refused("EMAIL_EXISTS") }
    account.email = email
    account.validSince = time.seconds
  }
}
