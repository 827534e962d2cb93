package import Core
package import FirestoreModel
package import HTTPService

/// The HTTP service of the emulated Firebase Authentication.
///
/// - `/identitytoolkit.googleapis.com/v1/accounts:{operation}`: Web and Android
/// - `/www.googleapis.com/identitytoolkit/v3/relyingparty/{operation}`: iOS
/// - `/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:{operation}`: administrators
/// - `/securetoken.googleapis.com/v1/token`: new ID tokens
/// - `/emulator/action`: the page behind links in emails
/// - `/emulator/v1/projects/{project}/…`: what only emulators have
package struct AuthenticationService: HTTPService {
  package let name = "auth"
  let project: String
  let store: AccountStore
  let now: @Sendable () -> Timestamp
  let ids: RandomText

  /// Creates the service.
  ///
  /// - Parameter project: The only project whose accounts it has.
  package init(
    project: String,
    store: AccountStore,
    now: @escaping @Sendable () -> Timestamp,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.project = project
    self.store = store
    self.now = now
    ids = RandomText(random: random)
  }

  var issuer: TokenIssuer { TokenIssuer(project: project) }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    do throws(AuthenticationError) {
      switch (request.method, request.path) {
      case ("GET", []): return .json(Self.greeting)
      case ("GET", ["emulator", "action"]): return try await followLink(request)
      default:
        let route = try Route(request)
        let body = try await perform(
          AuthenticationRequest(request, route: route, project: project)
        )
        return .json(JSONValue.object(body))
      }
    } catch {
      return error.response
    }
  }

  /// The response to `GET /`, with which tools find out that the emulator is ready.
  private static let greeting = JSONValue.object([
    "authEmulator": .object([
      "ready": .boolean(true),
      "docs": .string("https://firebase.google.com/docs/emulator-suite"),
    ])
  ])

  /// Performs an operation, and returns the response's body.
  private func perform(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    switch request.operation {
    case .signUp: try await signUp(request)
    case .signInWithPassword: try await signInWithPassword(request)
    case .signInWithCustomToken: try await signInWithCustomToken(request)
    case .signInWithEmailLink: try await signInWithEmailLink(request)
    case .signInWithIdp: try await signInWithIdp(request)
    case .sendVerificationCode: try await sendVerificationCode(request)
    case .signInWithPhoneNumber: try await signInWithPhoneNumber(request)
    case .lookup: try lookup(request)
    case .update: try await update(request)
    case .delete: try await delete(request)
    case .sendOobCode: try await sendOobCode(request)
    case .resetPassword: try await resetPassword(request)
    case .createAuthUri: try createAuthUri(request)
    case .batchGet: try batchGet(request)
    case .batchCreate: try await batchCreate(request)
    case .batchDelete: try await batchDelete(request)
    case .query: try query(request)
    case .createSessionCookie: try createSessionCookie(request)
    case .grantToken: try await grantToken(request)
    case .getProject: projectFacts
    case .getRecaptchaParams: recaptchaParams
    case .getRecaptchaConfig: recaptchaConfig
    case .getPasswordPolicy: passwordPolicy
    case .deleteAllAccounts: try await deleteAllAccounts()
    case .listAccounts: try listAccounts(request)
    case .getSettings: store.settings.json.object ?? [:]
    case .updateSettings: try await updateSettings(request)
    case .listOobCodes: ["oobCodes": .array(try newest(store.codes, request).map(\.json))]
    case .listVerificationCodes:
      [
        "verificationCodes": .array(
          try newest(store.verifications.filter { $0.code != nil }, request).compactMap(\.json)
        )
      ]
    case .expireIDTokens: await expireIDTokens()
    }
  }

  /// Returns the newest codes, as many as a request asks for, or all.
  private func newest<Code>(
    _ codes: [Code],
    _ request: AuthenticationRequest
  ) throws(AuthenticationError) -> ArraySlice<Code> {
    guard let limit = try request.fields.integer("limit") else { return codes[...] }
    guard limit >= 0 else { throw .invalidPayload("/limit must not be negative") }
    return codes.suffix(Int(limit))
  }
}
