package import Core
package import Cryptography
package import HTTPClient

/// A verifier of the ID token in a request's headers, and of the App Check token if App Check is
/// enforced.
///
/// Create one per process, because it caches Google's public keys.
package struct CallerVerifier: Sendable {
  private let takesUnsignedTokens: Bool
  private let idTokenRules: IDTokenRules
  private let idTokenKeys: PublishedKeys
  /// The rules of App Check, or `nil` if it isn't enforced.
  private let appCheckRules: AppCheckRules?
  private let appCheckKeys: PublishedKeys
  private let clock: TokenClock

  /// - Parameters:
  ///   - environment: The variables that `CallerConfiguration` describes.
  ///   - timeout: The maximum time for which a call waits for keys.
  /// - Throws: A configuration error that names the variable. It is also thrown if unsigned tokens
  ///   are enabled for a project that doesn't begin with `demo-`.
  package init(
    environment: [String: String],
    transport: HTTPClient,
    clock: TokenClock = .system,
    timeout: Duration = .seconds(5)
  ) throws(StatusError) {
    let configuration = try CallerConfiguration(environment: environment)
    takesUnsignedTokens = configuration.takesUnsignedTokens
    idTokenRules = IDTokenRules(project: configuration.project)
    idTokenKeys = PublishedKeys(
      name: "the keys of Firebase Authentication",
      url: configuration.idTokenKeysURL,
      format: .certificates,
      transport: transport,
      timeout: timeout,
      now: clock.instant
    )
    appCheckRules = configuration.appCheckProjectNumber.map(AppCheckRules.init)
    appCheckKeys = PublishedKeys(
      name: "the keys of App Check",
      url: configuration.appCheckKeysURL,
      format: .keySet,
      transport: transport,
      timeout: timeout,
      now: clock.instant
    )
    self.clock = clock
  }

  /// Verifies the tokens of a request.
  ///
  /// - Parameter headers: The request's headers, with names in lower case.
  /// - Returns: The caller, or `nil` if the request has no Authorization header.
  /// - Throws:
  ///   - `UNAUTHENTICATED` for an invalid token, or for a missing App Check token if App Check is
  ///     enforced. The message gives the reason and repeats nothing of the token.
  ///   - `UNAVAILABLE` if the public keys can't be fetched at the moment.
  package func caller(of headers: [String: String]) async throws(StatusError) -> CallerIdentity? {
    if let appCheckRules {
      try await checkApp(headers["x-firebase-appcheck"], by: appCheckRules)
    }
    guard let authorization = headers["authorization"] else { return nil }
    guard let bearer = authorization.bearerToken else {
      throw StatusError(
        .unauthenticated,
        "the Authorization header must be Bearer followed by an ID token"
      )
    }
    let token = try ReceivedToken(bearer, name: "the ID token")
    // Check the claims before the signature, so that no key is fetched for a token that is for
    // another project.
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
      throw StatusError(.unauthenticated, "the request has no App Check token")
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
    guard token.isSigned(by: key) else { throw token.refusal("has an invalid signature") }
  }
}
