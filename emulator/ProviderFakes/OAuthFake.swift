import Core
import Cryptography
import HTTPService
import Synchronization

/// The fake of Google's token endpoint for service accounts, and of the metadata server.
///
/// The token endpoint verifies the signature as the real one does. The metadata server issues the
/// same tokens without authentication, as it does inside Google's cloud.
///
/// - `POST /token`
/// - `GET /computeMetadata/v1/…`: the project, the account and its tokens
final class OAuthFake: Sendable {
  /// The OAuth scopes that an API accepts, each by the last part of its name.
  struct Scope: Sendable {
    /// The accepted scopes; a token needs one of them.
    var names: Set<String>
    /// The API's host name, for the error response.
    var service: String

    static let messaging = Scope(
      names: ["firebase.messaging", "cloud-platform"],
      service: "fcm.googleapis.com"
    )
  }

  private struct Account: Sendable {
    var key: RSAKey
    var project: String
  }

  private struct Grant: Sendable {
    /// The time at which the token expires, in seconds since 1970.
    var end: Int64
    var scopes: Set<String>
  }

  private static let lifetime: Int64 = 3_599
  private static let scopePrefix = "https://www.googleapis.com/auth/"
  /// The audience that Google's clients put into every assertion, even if the assertion is sent to
  /// another address.
  private static let audience = "https://oauth2.googleapis.com/token"
  /// The end of the fake's own URL. The host may be any name of this machine.
  private static let ownAudience = "/providers/token"

  private let account = Mutex<Account?>(nil)
  private let now: @Sendable () -> Int64
  private let newToken: @Sendable () -> String
  private let tokens = Mutex<[String: Grant]>([:])

  init(
    now: @escaping @Sendable () -> Int64,
    newToken: @escaping @Sendable () -> String
  ) {
    self.now = now
    self.newToken = newToken
  }

  private struct Claims: Decodable {
    var iss: String
    var scope: String
    var aud: String
    var iat: Int64
    var exp: Int64
  }

  /// Sets the key of the service account.
  ///
  /// - Parameter project: the project that the metadata server reports.
  func install(_ key: RSAKey, project: String) {
    account.withLock { $0 = Account(key: key, project: project) }
  }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case ("POST", ["token"]): return try grant(request)
    case ("GET", let path) where path.prefix(2) == ["computeMetadata", "v1"]:
      return try metadata(request, path: path.dropFirst(2).joined(separator: "/"))
    default:
      throw StatusError(
        .notFound,
        "the OAuth fake has no such path: it serves POST /token and GET /computeMetadata/v1/…"
      )
    }
  }

  // MARK: The token endpoint

  private func grant(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let form = try request.form()
    guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" else {
      return refusal("unsupported_grant_type", "Invalid grant_type")
    }
    guard let assertion = form["assertion"], let token = try? JSONWebToken(assertion),
      let key = account.withLock(\.self)?.key,
      key.verifies(token.signature, of: Data(token.signedPart.utf8)),
      let claims = try? JSON.decode(Claims.self, from: token.payload, what: "the claims")
    else { return refusal("invalid_grant", "Invalid JWT Signature.") }
    let time = now()
    guard claims.iat <= time + 300, claims.exp > time, claims.exp <= claims.iat + 3_600 else {
      return refusal(
        "invalid_grant",
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe."
      )
    }
    guard claims.aud == Self.audience || claims.aud.hasSuffix(Self.ownAudience) else {
      return refusal("invalid_grant", "Invalid JWT: Failed audience check.")
    }
    let scopes = Set(claims.scope.split(separator: " ").map(String.init))
    guard !scopes.isEmpty else { return refusal("invalid_scope", "Empty scope") }
    return .json(newToken(for: scopes))
  }

  private func newToken(for scopes: Set<String>) -> JSONValue {
    let (time, accessToken) = (now(), "ya29." + newToken())
    tokens.withLock { tokens in
      tokens = tokens.filter { $0.value.end > time }
      tokens[accessToken] = Grant(end: time + Self.lifetime, scopes: scopes)
    }
    return .object([
      "access_token": .string(accessToken), "expires_in": .integer(Self.lifetime),
      "token_type": "Bearer",
    ])
  }

  // MARK: The metadata server

  /// The header that a request to the metadata server must have, and that every response has.
  static let flavor = (name: "metadata-flavor", value: "Google")

  private func metadata(
    _ request: ServiceRequest,
    path: String
  ) throws(StatusError) -> ServiceResponse {
    guard request.headers[Self.flavor.name] == Self.flavor.value else {
      throw StatusError(.permissionDenied, "Missing required header: Metadata-Flavor")
    }
    guard let project = account.withLock(\.self)?.project else {
      throw StatusError(
        .unavailable,
        "the emulator is still starting and doesn't know the project yet: try again"
      )
    }
    let email = "emulator@\(project).iam.gserviceaccount.com"
    let platform = "\(Self.scopePrefix)cloud-platform"
    var response: ServiceResponse
    switch path {
    case "project/project-id": response = .text(project)
    case "instance/service-accounts/default":
      response = .json(
        JSONValue.object([
          "aliases": .array(["default"]), "email": .string(email),
          "scopes": .array([.string(platform)]),
        ])
      )
    case "instance/service-accounts/default/email": response = .text(email)
    case "instance/service-accounts/default/scopes": response = .text("\(platform)\n")
    case "instance/service-accounts/default/token":
      let wanted = (request[query: "scopes"] ?? platform).split(separator: ",").map(String.init)
      response = .json(newToken(for: Set(wanted)))
    default: throw StatusError(.notFound, "the metadata server has no path \(quoted(path))")
    }
    response.headers.append(Self.flavor)
    return response
  }

  // MARK: Checking tokens

  /// Returns a Boolean value that indicates whether this endpoint issued the token and the token
  /// hasn't expired.
  func accepts(_ token: String) -> Bool {
    tokens.withLock { $0[token] }.map { $0.end > now() } ?? false
  }

  /// Returns the error response to a request, or `nil` if its token is valid and has the API's
  /// scope.
  func refusal(of request: ServiceRequest, scope: Scope) -> ServiceResponse? {
    guard let token = request.bearerToken, accepts(token) else {
      return googleError(
        .unauthenticated,
        "Request had invalid authentication credentials. Expected OAuth 2 access token."
      )
    }
    let scopes = tokens.withLock { $0[token]?.scopes ?? [] }
    guard scope.names.isDisjoint(with: scopes.map { $0.withoutPrefix(Self.scopePrefix) }) else {
      return nil
    }
    return googleError(
      .permissionDenied,
      "Request had insufficient authentication scopes.",
      details: [
        .object([
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "domain": "googleapis.com",
          "metadata": .object(["service": .string(scope.service)]),
        ])
      ]
    )
  }

  private func refusal(_ error: String, _ description: String) -> ServiceResponse {
    .json(
      JSONValue.object(["error": .string(error), "error_description": .string(description)]),
      status: 400
    )
  }
}

extension String {
  fileprivate func withoutPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
