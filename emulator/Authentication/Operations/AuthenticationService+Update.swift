import Core
import FirestoreModel

/// The change of accounts.
extension AuthenticationService {
  /// Changes the account of an out-of-band code, of an ID token or, for administrators, of an ID.
  func update(_ request: AuthenticationRequest) async throws(AuthenticationError) -> JSONObject {
    let (time, fields) = (now(), request.fields)
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      if let code = try fields.text("oobCode") {
        let purpose = edit.code(code)?.purpose
        let account = try useEmailCode(code, in: &edit, at: time)
        var body = Self.body(of: account)
        if purpose == .verifyAndChangeEmail { body["newEmail"] = body["email"] }
        return body
      }
      let (old, token) = try accountToUpdate(request, in: edit)
      for name in ["provider", "upgradeToFederatedLogin", "mfa"] where fields.has(name) {
        throw .unimplemented("\(name) is not implemented in the Auth Emulator.")
      }
      var change = AccountUpdate(
        old,
        isAnonymous: token?.signInProvider == Account.anonymousProvider,
        time: time
      )
      if request.isAdministrator {
        try change.applyForAdministrator(fields, in: edit)
      } else {
        try Self.refuseAdministratorFields(fields)
      }
      try change.apply(fields, in: edit, ids: ids)
      edit.set(change.account)
      if let email = change.replacedEmail {
        edit.send(
          OutOfBandCode(
            .recoverEmail,
            email: email,
            newEmail: change.account.email,
            localId: old.localId,
            code: newCode,
            at: time,
            origin: request.origin
          )
        )
      }
      var body = Self.body(of: change.account)
      // Only a client whose token has just become invalid needs another one.
      guard let token, change.revokesTokens else { return body }
      let tokens = try issuer.issueTokens(
        for: &change.account,
        provider: change.setsPassword ? Account.passwordProvider : token.signInProvider,
        authenticatedAt: token.authenticatedAt,
        in: &edit,
        at: time
      )
      body.merge(tokens) { $1 }
      return body
    }
  }

  /// Returns the account that a request names, and the ID token if the request has one.
  private func accountToUpdate(
    _ request: AuthenticationRequest,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> (Account, IDToken?) {
    if let text = try request.fields.text("idToken") {
      return try edit.user(ofIDToken: text, project: project)
    }
    guard request.isAdministrator else {
      throw .refused("INVALID_REQ_TYPE : Unsupported request parameters.")
    }
    guard let id = try request.fields.text("localId") else { throw .refused("MISSING_LOCAL_ID") }
    guard let account = edit[id] else { throw .refused("USER_NOT_FOUND") }
    return (account, nil)
  }

  /// Throws if a client's request has fields that only administrators may use.
  private static func refuseAdministratorFields(
    _ fields: RequestFields
  ) throws(AuthenticationError) {
    for name in ["customAttributes", "linkProviderUserInfo"] where fields.has(name) {
      throw .refused("INSUFFICIENT_PERMISSION")
    }
    guard !fields.has("disableUser") else { throw .refused("OPERATION_NOT_ALLOWED") }
  }

  /// Returns the fields of an account that the response to a change has.
  private static func body(of account: Account) -> JSONObject {
    var body: JSONObject = [
      "kind": .string("identitytoolkit#SetAccountInfoResponse"),
      "localId": .string(account.localId),
      "emailVerified": .boolean(account.emailVerified ?? false),
      "providerUserInfo": .array(account.providers.map(\.json)),
    ]
    body["email"] = account.email.map(JSONValue.string)
    body["displayName"] = account.displayName.map(JSONValue.string)
    body["photoUrl"] = account.photoUrl.map(JSONValue.string)
    body["passwordHash"] = (account.password?.hash).map(JSONValue.string)
    return body
  }
}
