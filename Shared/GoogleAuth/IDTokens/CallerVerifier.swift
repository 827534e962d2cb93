package import Core
package import HTTPClient
package import HTTPService

/// Finds out who calls, and with App Check from which app, by the tokens in a request's headers.
///
/// Make one per process: it keeps Google's public keys.
package struct CallerVerifier: Sendable {
  private let takesUnsignedTokens: Bool
  private let idTokenRules: IDTokenRules
  private let idTokenKeys: PublishedKeys
  /// Nil where App Check isn't enforced.
  private let appCheckRules: AppCheckRules?
  private let appCheckKeys: PublishedKeys
  private let clock: TokenClock

  /// - Parameters:
  ///   - environment: read by `CallerConfiguration`, which says what is in it.
  ///   - patience: how long a call waits for keys at most.
  /// - Throws: a configuration error that names the variable. Above all: where unsigned tokens would
  ///   be taken for a project that isn't one of a demonstration.
  package init(
    environment: [String: String],
    transport: HTTPClient,
    clock: TokenClock = .system,
    patience: Duration = .seconds(5)
  ) throws(StatusError) {
    let configuration = try CallerConfiguration(environment: environment)
    takesUnsignedTokens = configuration.takesUnsignedTokens
    idTokenRules = IDTokenRules(project: configuration.project)
    idTokenKeys = PublishedKeys(
      name: "the keys of Firebase Authentication",
      url: configuration.idTokenKeysURL,
      format: .certificates,
      transport: transport,
      patience: patience,
      now: clock.instant
    )
    appCheckRules = configuration.appCheckProjectNumber.map(AppCheckRules.init)
    appCheckKeys = PublishedKeys(
      name: "the keys of App Check",
      url: configuration.appCheckKeysURL,
      format: .keySet,
      transport: transport,
      patience: patience,
      now: clock.instant
    )
    self.clock = clock
  }

  /// - Parameter headers: names in lower case.
  /// - Returns: nil without an Authorization header: nobody in particular.
  /// - Throws:
  ///   - `UNAUTHENTICATED` for a token that doesn't hold, or where App Check is enforced and there is
  ///     none of its. The message says in which way and repeats nothing of it.
  ///   - `UNAVAILABLE` while the keys can't be had by which to tell.
  package func caller(of headers: [String: String]) async throws(StatusError) -> CallerIdentity? {
    if let appCheckRules {
      try await checkApp(headers["x-firebase-appcheck"], by: appCheckRules)
    }
    guard let authorization = headers["authorization"] else { return nil }
    guard let bearer = authorization.bearerToken else {
      throw StatusError(.unauthenticated, "the Authorization header is not Bearer and an ID token")
    }
    let token = try ReceivedToken(bearer, name: "the ID token")
    // What the token says comes first: no key is asked for because of one that is for others.
    let uid: String
    if takesUnsignedTokens {
      try token.checkUnsigned()
      uid = try idTokenRules.uid(of: token, now: clock.seconds())
    } else {
      let keyID = try token.keyID()
      uid = try idTokenRules.uid(of: token, now: clock.seconds())
      try await check(token, isSignedBy: keyID, among: idTokenKeys)
    }
    return CallerIdentity(uid: uid, claims: token.claims)
  }

  private func checkApp(_ header: String?, by rules: AppCheckRules) async throws(StatusError) {
    guard let header else {
      throw StatusError(.unauthenticated, "there is no App Check token")
    }
    let token = try ReceivedToken(header, name: "the App Check token")
    let keyID = try token.keyID()
    try rules.check(token, now: clock.seconds())
    try await check(token, isSignedBy: keyID, among: appCheckKeys)
  }

  private func check(
    _ token: ReceivedToken,
    isSignedBy keyID: String,
    among keys: PublishedKeys
  ) async throws(StatusError) {
    guard let key = try await keys.key(keyID) else {
      throw token.refusal("is signed with a key that isn't published")
    }
    guard token.isSigned(by: key) else { throw token.refusal("has a signature that doesn't hold") }
  }
}
