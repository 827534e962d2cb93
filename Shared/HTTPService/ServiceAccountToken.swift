import Cryptography
import JSONCoding
import Platform
package import RPCStatus

/// A JSON Web Token that a service account's key file signs without asking anybody, as emulators
/// take it: read, its signature not verified.
///
/// Source: google.aip.dev/auth/4111.
package struct ServiceAccountToken: Sendable {
  private struct Header: Decodable {
    var alg: String?
  }

  private struct Identity: Decodable {
    var iss: String?
    var sub: String?
  }

  private struct Claims: Decodable {
    var aud: String?
    var scope: String?
    /// Seconds since 1970, maybe with a fraction (RFC 7519).
    var exp: Double?
  }

  /// What the address of every service account ends in.
  private static let domain = ".gserviceaccount.com"

  private let token: JSONWebToken

  /// - Returns: nil for a token that isn't issued by a service account for itself, as an ID token is.
  package init?(_ token: String) {
    guard let token = try? JSONWebToken(token),
      let identity = try? JSON.decode(Identity.self, from: token.payload, what: "the token"),
      let issuer = identity.iss, identity.sub?.hasSameBytes(as: issuer) == true,
      issuer.utf8.suffix(Self.domain.utf8.count).elementsEqual(Self.domain.utf8)
    else { return nil }
    self.token = token
  }

  /// Checks that the token opens one of Google's services.
  ///
  /// - Parameters:
  ///   - host: the service's, such as `firestore.googleapis.com`.
  ///   - scopes: the ends of the OAuth scopes that open it, such as `datastore`.
  ///   - now: seconds since 1970.
  /// - Throws: `UNAUTHENTICATED` for a token that is for another service, has expired, says no end or has
  ///   no signature.
  package func check(
    for host: String,
    scopes: [String],
    now: Int64
  ) throws(StatusError) {
    func refusal(_ reason: String) -> StatusError {
      StatusError(.unauthenticated, "the service account's token \(reason)")
    }
    let header = try? JSON.decode(Header.self, from: token.header, what: "the token's header")
    guard header?.alg == "RS256", !token.signature.isEmpty else {
      throw refusal("is not signed with RS256")
    }
    guard let claims = try? JSON.decode(Claims.self, from: token.payload, what: "the token") else {
      throw refusal("has an aud, a scope or an exp of the wrong type")
    }
    guard let end = claims.exp else { throw refusal("has no exp") }
    guard end > Double(now) else { throw refusal("has expired") }
    if let audience = claims.aud {
      let address = "https://\(host)"
      guard audience.hasSameBytes(as: address) || audience.utf8.starts(with: "\(address)/".utf8)
      else { throw refusal("is for another audience than \(address)/") }
    } else {
      let granted = (claims.scope ?? "").utf8.split(separator: UInt8(ascii: " "))
      let opens = scopes.contains { scope in
        granted.contains { $0.elementsEqual("https://www.googleapis.com/auth/\(scope)".utf8) }
      }
      guard opens else { throw refusal("has no scope that opens \(host)") }
    }
  }
}
