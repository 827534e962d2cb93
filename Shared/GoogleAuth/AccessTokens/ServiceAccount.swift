package import Core
import Cryptography
package import HTTPClient

/// A service account's key file, which signs requests for access tokens (RFC 7523).
package struct ServiceAccount: Sendable {
  /// The audience of the signed request. Google requires this value even at another token endpoint.
  private static let audience = "https://oauth2.googleapis.com/token"

  private struct Kind: Decodable { var type: String? }

  private static let variable = "GOOGLE_APPLICATION_CREDENTIALS"

  private struct KeyFile: Decodable {
    var clientEmail: String
    var privateKey: String
    var privateKeyID: String?
    var tokenURI: String?

    private enum CodingKeys: String, CodingKey {
      case clientEmail = "client_email"
      case privateKey = "private_key"
      case privateKeyID = "private_key_id"
      case tokenURI = "token_uri"
    }
  }

  private let email: String
  private let keyID: String?
  /// The private key in PEM format. It is parsed only when a token is needed, because libcrypto's
  /// initialization takes 4 ms and many functions need no token.
  private let privateKey: String
  private let tokenURI: String
  private let transport: HTTPClient
  private let now: @Sendable () -> Int64

  /// Creates a service account from its key file.
  ///
  /// - Parameters:
  ///   - path: The path of the JSON file, from GOOGLE_APPLICATION_CREDENTIALS.
  ///   - now: Returns the time in seconds since 1970.
  /// - Throws: A configuration error that names the variable, and doesn't repeat the file's
  ///   content.
  package init(
    path: String,
    transport: HTTPClient,
    now: @escaping @Sendable () -> Int64
  ) throws(StatusError) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .configuration(.failedPrecondition, "\(Self.variable): the file can't be read")
    }
    let file: KeyFile
    do throws(StatusError) {
      // Check the type first, because a user's credentials have none of the fields of `KeyFile`.
      let kind = try JSON.decode(Kind.self, from: data, what: "the key file")
      guard kind.type ?? "service_account" == "service_account" else {
        throw StatusError(.invalidArgument, "only keys of service accounts are supported")
      }
      file = try JSON.decode(KeyFile.self, from: data, what: "the key file")
    } catch {
      throw .configuration(.failedPrecondition, "\(Self.variable): \(error.message)")
    }
    email = file.clientEmail
    keyID = file.privateKeyID
    privateKey = file.privateKey
    tokenURI = file.tokenURI ?? Self.audience
    self.transport = transport
    self.now = now
  }
}

extension ServiceAccount: AccessTokenSource {
  private struct Header: Encodable {
    var alg = "RS256"
    var typ = "JWT"
    var kid: String?
  }

  private struct Claims: Encodable {
    var iss: String
    var scope: String
    var aud: String
    var iat: Int64
    var exp: Int64
  }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    let body = PercentEncoding.form([
      ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
      ("assertion", try assertion()),
    ])
    let request = HTTPRequest(
      method: "POST",
      url: tokenURI,
      headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
      body: Data(body.utf8),
      maximumResponseBytes: TokenRequest.maximumResponseBytes
    )
    let response = try await transport.send(request, deadline: deadline, retry: HTTPRetryPolicy())
      .response
    return try response.token(from: "the token endpoint", variable: Self.variable)
  }

  private func assertion() throws(StatusError) -> String {
    let issued = now()
    let claims = Claims(
      iss: email,
      scope: TokenRequest.scopes.joined(separator: " "),
      aud: Self.audience,
      iat: issued,
      exp: issued + 3_600
    )
    guard let header = try? JSON.encode(Header(kid: keyID)), let payload = try? JSON.encode(claims)
    else { throw StatusError(.internal, "the token request can't be encoded") }
    return try JSONWebToken.encode(header: header, payload: payload, key: parsedKey())
  }

  private func parsedKey() throws(StatusError) -> RSAKey {
    do throws(StatusError) {
      return try RSAKey(pem: privateKey)
    } catch {
      throw .configuration(.failedPrecondition, "\(Self.variable): \(error.message)")
    }
  }
}

/// The parts of requests for access tokens that all endpoints have in common.
enum TokenRequest {
  /// The maximum size of a response in bytes. A token usually has a few hundred bytes, and at most
  /// two thousand.
  static let maximumResponseBytes = 64 * 1024

  /// The OAuth scopes that the functions request. Firestore, FCM, Translation and Identity Toolkit
  /// accept the first one; the Realtime Database needs the others.
  ///
  /// Source: firebase.google.com/docs/database/rest/auth.
  static let scopes = ["cloud-platform", "firebase.database", "userinfo.email"]
    .map { "https://www.googleapis.com/auth/\($0)" }
}

extension HTTPResponse {
  private struct Failure: Decodable { var error: String? }

  /// Returns the token in a response of the token endpoint or the metadata server.
  ///
  /// - Parameter variable: The environment variable that determines the endpoint and the account.
  ///   Error messages name it.
  func token(from place: String, variable: String) throws(StatusError) -> AccessToken {
    switch status {
    case 200:
      guard let response = try? JSON.decode(TokenResponse.self, from: body, what: place) else {
        throw StatusError(.unavailable, "\(place) returned no valid token")
      }
      return response.token
    case 300..<400:
      throw .configuration(
        .failedPrecondition,
        "\(variable): \(place) answered \(status): set the final URL, since redirects are not followed"
      )
    case 429, 500...:
      throw StatusError(.unavailable, "\(place) answered \(status)", retryAfter: retryAfter)
    default:
      let code = (try? JSON.decode(Failure.self, from: body, what: place).error) ?? ""
      // Google returns invalid_grant for an invalid signature and for a wrong time.
      let hint =
        code == "invalid_grant" ? "; was the key withdrawn, or is this machine's clock wrong?" : ""
      throw .configuration(
        .unauthenticated,
        "\(variable): \(place) refused the service account: \(status) \(quoted(code))\(hint)"
      )
    }
  }
}
