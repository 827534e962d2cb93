import Core
import FirestoreModel

/// The ways to sign in, and the renewal of ID tokens.
extension AuthenticationService {
  func signInWithPassword(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    let (time, fields) = (now(), request.fields)
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      guard edit.settings.allowsPasswords else { throw .refused("PASSWORD_LOGIN_DISABLED") }
      guard let text = try fields.string("email") else { throw .refused("MISSING_EMAIL") }
      let email = try EmailAddress.check(text)
      guard let password = try fields.text("password") else { throw .refused("MISSING_PASSWORD") }
      let hidesEmails = edit.settings.hidesEmails
      guard var account = edit.account(email: email) else {
        throw .refused(hidesEmails ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
      }
      guard account.disabled != true else { throw .refused("USER_DISABLED") }
      guard let stored = account.password, NewPassword.matches(password, stored) else {
        throw .refused(hidesEmails ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
      }
      account.lastLoginAt = time.milliseconds
      var body: JSONObject = [
        "kind": .string("identitytoolkit#VerifyPasswordResponse"), "registered": .boolean(true),
        "localId": .string(account.localId), "email": .string(email),
      ]
      body["displayName"] = .string(account.displayName ?? "")
      let tokens = try issuer.issueTokens(
        for: &account,
        provider: Account.passwordProvider,
        in: &edit,
        at: time
      )
      return body.merging(tokens) { $1 }
    }
  }

  /// Signs the user of a custom token in. Creates the account if it doesn't exist.
  func signInWithCustomToken(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    guard let text = try request.fields.text("token") else {
      throw .refused("MISSING_CUSTOM_TOKEN")
    }
    let (time, token) = (now(), try CustomToken(text))
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      let existing = edit[token.localId]
      guard existing?.disabled != true else { throw .refused("USER_DISABLED") }
      var account = existing ?? newAccount(token.localId, in: edit, at: time)
      account.customAuth = true
      account.lastLoginAt = time.milliseconds
      let tokens = try issuer.issueTokens(
        for: &account,
        provider: Account.customProvider,
        claims: token.claims,
        in: &edit,
        at: time
      )
      let body: JSONObject = [
        "kind": .string("identitytoolkit#VerifyCustomTokenResponse"),
        "isNewUser": .boolean(existing == nil),
      ]
      return body.merging(tokens) { $1 }
    }
  }

  /// Signs in the owner of an email address, who has got a code there. Creates the account if it
  /// doesn't exist.
  func signInWithEmailLink(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    let (time, fields) = (now(), request.fields)
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      guard edit.settings.allowsEmailLinks else { throw .refused("OPERATION_NOT_ALLOWED") }
      var current: Account?
      if let token = try fields.text("idToken") {
        current = try edit.user(ofIDToken: token, project: project).account
      }
      guard let text = try fields.text("email") else { throw .refused("MISSING_EMAIL") }
      let email = EmailAddress.canonical(text)
      guard let codeText = try fields.text("oobCode") else { throw .refused("MISSING_OOB_CODE") }
      guard let code = edit.code(codeText), code.purpose == .emailSignIn else {
        throw .refused("INVALID_OOB_CODE")
      }
      guard email.hasSameBytes(as: code.email) else {
        throw .refused(
          "INVALID_EMAIL : The email provided does not match the sign-in email address."
        )
      }
      if let current, edit.isTaken(email: email, from: current.localId) {
        throw .refused("EMAIL_EXISTS")
      }
      let existing = current ?? edit.account(email: email)
      guard existing?.disabled != true else { throw .refused("USER_DISABLED") }
      edit.use(code)
      var account = existing ?? newAccount(in: edit, at: time)
      account.email = email
      account.emailVerified = true
      account.emailLinkSignin = true
      account.lastLoginAt = time.milliseconds
      let tokens = try issuer.issueTokens(
        for: &account,
        provider: Account.passwordProvider,
        in: &edit,
        at: time
      )
      let body: JSONObject = [
        "kind": .string("identitytoolkit#EmailLinkSigninResponse"), "email": .string(email),
        "localId": .string(account.localId), "isNewUser": .boolean(existing == nil),
      ]
      return body.merging(tokens) { $1 }
    }
  }

  /// Returns a new ID token for a refresh token. This operation is the only one with response
  /// fields in snake case.
  func grantToken(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject
  {
    let fields = request.fields
    guard let type = try fields.text("grantType") else { throw .refused("MISSING_GRANT_TYPE") }
    guard type == "refresh_token" else { throw .refused("INVALID_GRANT_TYPE") }
    guard let text = try fields.text("refreshToken") else {
      throw .refused("MISSING_REFRESH_TOKEN")
    }
    let (time, token) = (now(), try RefreshToken(text))
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      guard token.project.hasSameBytes(as: project) else {
        throw .refused("INVALID_REFRESH_TOKEN")
      }
      // As in production. With this error, SDKs sign a deleted user out.
      guard var account = edit[token.localId] else { throw .refused("USER_NOT_FOUND") }
      guard account.disabled != true else { throw .refused("USER_DISABLED") }
      if let issued = token.issuedAt, let start = account.validSince, issued < start {
        throw .refused("TOKEN_EXPIRED")
      }
      let tokens = try issuer.issueTokens(
        for: &account,
        provider: token.provider,
        claims: token.claims,
        authenticatedAt: token.authenticatedAt,
        in: &edit,
        at: time
      )
      var body: JSONObject = [
        "token_type": .string("Bearer"), "user_id": .string(account.localId),
        "project_id": .string(Self.projectNumber),
      ]
      body["id_token"] = tokens["idToken"]
      body["access_token"] = tokens["idToken"]
      body["expires_in"] = tokens["expiresIn"]
      body["refresh_token"] = tokens["refreshToken"]
      return body
    }
  }

  /// Returns a cookie with which a server recognizes a user for days.
  func createSessionCookie(
    _ request: AuthenticationRequest
  ) throws(AuthenticationError) -> JSONObject {
    guard let text = try request.fields.text("idToken") else { throw .refused("MISSING_ID_TOKEN") }
    let allowed: ClosedRange<Int64> = 300...1_209_600
    let duration = try request.fields.integer("validDuration") ?? 0
    guard duration == 0 || allowed.contains(duration) else { throw .refused("INVALID_DURATION") }
    let token = try IDToken(text, project: project)
    _ = try token.check(store[token.localId], expiryHorizon: store.expiryHorizon)
    return [
      "sessionCookie": .string(
        try issuer.sessionCookie(
          for: token,
          duration: duration == 0 ? allowed.upperBound : duration,
          at: now().seconds
        )
      )
    ]
  }
}
