import Core
import FirestoreModel

/// The creation and deletion of accounts.
extension AuthenticationService {
  /// Creates an account, or gives an anonymous user an email address and a password.
  func signUp(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject {
    let time = now()
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      let provider = try provider(of: request, edit.settings)
      var account = try accountToSignUp(request, in: &edit, at: time)
      if provider != nil { account.lastLoginAt = time.milliseconds }
      let fields = request.fields
      if request.isAdministrator {
        account.displayName = try fields.string("displayName")
        account.photoUrl = try fields.string("photoUrl")
        account.emailVerified = try fields.boolean("emailVerified") ?? false
        if try fields.boolean("disabled") == true { account.disabled = true }
        if let number = try fields.text("phoneNumber") {
          account.phoneNumber = try checkNewPhoneNumber(number, in: edit)
        }
      } else if provider == Account.passwordProvider {
        account.displayName = try fields.string("displayName") ?? account.displayName
        account.emailVerified = false
      }
      if let text = try fields.text("email") {
        account.email = try checkNewEmail(text, in: edit)
      }
      if let password = try fields.text("password") {
        account.setPassword(try NewPassword(password, ids: ids), at: time)
      }
      edit.set(account)
      var body: JSONObject = [
        "kind": .string("identitytoolkit#SignupNewUserResponse"),
        "localId": .string(account.localId),
      ]
      body["displayName"] = account.displayName.map(JSONValue.string)
      body["email"] = account.email.map(JSONValue.string)
      guard let provider else { return body }
      let tokens = try issuer.issueTokens(for: &account, provider: provider, in: &edit, at: time)
      return body.merging(tokens) { $1 }
    }
  }

  /// Returns the provider with which a new user is signed in, or `nil` if an administrator creates
  /// the account.
  private func provider(
    of request: AuthenticationRequest,
    _ settings: AuthenticationSettings
  ) throws(AuthenticationError) -> String? {
    let fields = request.fields
    guard try fields.objects("mfaInfo").isEmpty else {
      throw .unimplemented("mfaInfo is not implemented in the Auth Emulator.")
    }
    guard !request.isAdministrator else { return nil }
    guard try fields.text("localId") == nil else {
      throw .refused("UNEXPECTED_PARAMETER : User ID")
    }
    let (email, password) = (try fields.string("email"), try fields.string("password"))
    guard try fields.text("idToken") != nil || email != nil || password != nil else {
      guard settings.allowsAnonymousUsers else { throw .refused("ADMIN_ONLY_OPERATION") }
      return Account.anonymousProvider
    }
    guard email?.isEmpty == false else { throw .refused("MISSING_EMAIL") }
    guard password?.isEmpty == false else { throw .refused("MISSING_PASSWORD") }
    guard settings.allowsPasswords else { throw .refused("OPERATION_NOT_ALLOWED") }
    return Account.passwordProvider
  }

  /// Returns the account of a request's ID token or, if there is none, a new account.
  private func accountToSignUp(
    _ request: AuthenticationRequest,
    in edit: inout AccountEdit,
    at time: Timestamp
  ) throws(AuthenticationError) -> Account {
    let localId = try request.fields.text("localId")
    if let token = try request.fields.text("idToken") {
      guard localId == nil else { throw .refused("UNEXPECTED_PARAMETER : User ID") }
      return try edit.user(ofIDToken: token, project: project).account
    }
    if let localId {
      try Self.checkUserID(localId)
      guard edit[localId] == nil else { throw .refused("DUPLICATE_LOCAL_ID") }
    }
    return newAccount(localId, in: edit, at: time)
  }

  /// Returns a new account.
  ///
  /// - Parameter id: The user's ID, or `nil` for a random one that no account has.
  func newAccount(_ id: String? = nil, in edit: AccountEdit, at time: Timestamp) -> Account {
    var newID = id ?? ids.alphanumeric(28)
    while id == nil, edit[newID] != nil { newID = ids.alphanumeric(28) }
    var account = Account(localId: newID)
    account.createdAt = time.milliseconds
    // Tokens of an earlier account with the same ID aren't valid for this one.
    account.validSince = time.seconds
    return account
  }

  /// Deletes the account of an ID token or, for administrators, of an ID.
  func delete(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject {
    try await store.write { edit throws(AuthenticationError) -> JSONObject in
      let localId: String
      if request.isAdministrator {
        guard let id = try request.fields.text("localId") else {
          throw .refused("MISSING_LOCAL_ID")
        }
        guard edit[id] != nil else { throw .refused("USER_NOT_FOUND") }
        localId = id
      } else {
        guard let token = try request.fields.text("idToken") else {
          throw .refused("MISSING_ID_TOKEN")
        }
        localId = try edit.user(ofIDToken: token, project: project).account.localId
      }
      edit.delete(localId)
      return ["kind": .string("identitytoolkit#DeleteAccountResponse")]
    }
  }
}
