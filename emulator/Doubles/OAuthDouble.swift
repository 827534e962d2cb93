import Cryptography
import HTTPService
import JSONCoding
import Platform
import RPCStatus
import Synchronization

/// Google's token endpoint for service accounts: it checks the signature as the real one does.
final class OAuthDouble: Sendable {
  private static let lifetime: Int64 = 3_599

  private let account = Mutex<RSAKey?>(nil)
  private let now: @Sendable () -> Int64
  private let newToken: @Sendable () -> String
  /// Issued tokens and when they end, in seconds since 1970.
  private let tokens = Mutex<[String: Int64]>([:])

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

  func install(_ key: RSAKey) { account.withLock { $0 = key } }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    guard request.method == "POST", request.path == ["token"] else {
      throw StatusError(.notFound, "OAuth has only POST /token")
    }
    let form = try request.form()
    guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" else {
      return refusal("unsupported_grant_type", "Invalid grant_type")
    }
    guard let assertion = form["assertion"], let token = try? JSONWebToken(assertion),
      let key = account.withLock(\.self),
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
    guard !claims.scope.isEmpty else { return refusal("invalid_scope", "Empty scope") }
    let accessToken = "emulator." + newToken()
    tokens.withLock { tokens in
      tokens = tokens.filter { $0.value > time }
      tokens[accessToken] = time + Self.lifetime
    }
    return .json(
      JSONValue.object([
        "access_token": .string(accessToken), "expires_in": .integer(Self.lifetime),
        "token_type": "Bearer",
      ])
    )
  }

  /// Whether this endpoint issued a token that is still good.
  func accepts(_ token: String) -> Bool {
    tokens.withLock { $0[token] }.map { $0 > now() } ?? false
  }

  private func refusal(_ error: String, _ description: String) -> ServiceResponse {
    .json(
      JSONValue.object(["error": .string(error), "error_description": .string(description)]),
      status: 400
    )
  }
}
