import Core
import FirestoreModel

/// Sign-in with the credentials of other providers, such as Google and Apple.
extension AuthenticationService {
  /// Signs the owner of a credential in, or links the credential with the account of an ID token.
  func signInWithIdp(_ request: AuthenticationRequest) async throws(AuthenticationError)
    -> JSONObject
  {
    let (time, fields) = (now(), request.fields)
    guard !fields.has("pendingIdToken") else {
      throw .unimplemented("pendingIdToken is not implemented in the Auth Emulator.")
    }
    let identity = try ProviderIdentity(fields)
    let createsAccounts = try fields.boolean("autoCreate") ?? true
    let returnsCredential = try fields.boolean("returnIdpCredential") ?? false
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      var body = identity.body
      let decision = try decide(identity, fields, in: edit)
      switch decision {
      case .refusal(let name):
        guard returnsCredential else { throw .refused(name) }
        body["errorMessage"] = .string(name)
        return body
      case .confirmation(let account):
        body["needConfirmation"] = .boolean(true)
        body["verifiedProvider"] = .array(account.providers.map { .string($0.providerId) })
        return body
      case .signIn(let existing):
        // Clients that authenticate a user again want no new account.
        guard existing != nil || createsAccounts else { throw .refused("USER_NOT_FOUND") }
        guard existing?.disabled != true else { throw .refused("USER_DISABLED") }
        var account = existing ?? newAccount(in: edit, at: time)
        account.lastLoginAt = time.milliseconds
        let isEmailTaken = identity.provider.email.map { edit.account(email: $0) != nil } ?? false
        identity.apply(
          to: &account,
          isNew: existing == nil,
          isUsers: fields.has("idToken"),
          givesEmail: !isEmailTaken && !edit.settings.allowsDuplicateEmails,
          at: time
        )
        body["localId"] = .string(account.localId)
        if existing == nil { body["isNewUser"] = .boolean(true) }
        let tokens = try issuer.issueTokens(
          for: &account,
          provider: identity.provider.providerId,
          in: &edit,
          at: time
        )
        return body.merging(tokens) { $1 }
      }
    }
  }

  private enum Decision {
    /// The account to sign in, or `nil` for a new one.
    case signIn(Account?)
    /// Another account has the email address, and its owner must sign in there first.
    case confirmation(Account)
    /// The name of an error.
    case refusal(String)
  }

  private func decide(
    _ identity: ProviderIdentity,
    _ fields: RequestFields,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> Decision {
    let provider = identity.provider
    let namesake =
      edit.settings.allowsDuplicateEmails
      ? nil : provider.email.flatMap { edit.account(email: $0) }
    if let token = try fields.text("idToken") {
      let current = try edit.user(ofIDToken: token, project: project).account
      if edit.isTaken(provider: provider.providerId, rawId: provider.rawId, from: current.localId) {
        return .refusal("FEDERATED_USER_ID_ALREADY_LINKED")
      }
      if let email = namesake?.email, edit.isTaken(email: email, from: current.localId) {
        return .refusal("EMAIL_EXISTS")
      }
      return .signIn(current)
    }
    if let owner = edit.account(provider: provider.providerId, rawId: provider.rawId) {
      return .signIn(owner)
    }
    guard let namesake else { return .signIn(nil) }
    // Only a provider that has verified the address proves that both accounts have one owner.
    return identity.isEmailVerified ? .signIn(namesake) : .confirmation(namesake)
  }
}
