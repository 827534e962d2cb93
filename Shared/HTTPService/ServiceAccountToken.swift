package import Core
package import Cryptography

/// A JSON Web Token that a service account's key file signs without asking anybody, as emulators
/// take it: read, its signature not verified.
///
/// Source: google.aip.dev/auth/4111.
package struct ServiceAccountToken: Sendable {
  /// What the address of every service account ends in.
  private static let domain = ".gserviceaccount.com"

  private let token: JSONWebToken

  /// - Returns: nil for a token that isn't issued by a service account for itself, as an ID token is.
  package init?(_ token: JSONWebToken) {
    guard let issuer = token.claims["iss"]?.string, token.claims["sub"] == .string(issuer),
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
    guard token.header["alg"] == .string("RS256"), !token.signature.isEmpty else {
      throw refusal("is not signed with RS256")
    }
    let (audience, scope) = (token.claims["aud"] ?? .null, token.claims["scope"] ?? .null)
    guard [audience, scope].allSatisfy({ $0 == .null || $0.string != nil }) else {
      throw refusal("has an aud or a scope that is no text")
    }
    guard let end = Self.seconds(token.claims["exp"]) else {
      throw refusal("has no exp that is a time")
    }
    guard end > Double(now) else { throw refusal("has expired") }
    if let audience = audience.string {
      let address = "https://\(host)"
      guard audience.hasSameBytes(as: address) || audience.utf8.starts(with: "\(address)/".utf8)
      else { throw refusal("is for another audience than \(address)/") }
    } else {
      let granted = (scope.string ?? "").utf8.split(separator: UInt8(ascii: " "))
      let opens = scopes.contains { scope in
        granted.contains { $0.elementsEqual("https://www.googleapis.com/auth/\(scope)".utf8) }
      }
      guard opens else { throw refusal("has no scope that opens \(host)") }
    }
  }

  /// A time of RFC 7519: seconds since 1970, maybe with a fraction.
  private static func seconds(_ claim: JSONValue?) -> Double? {
    switch claim {
    case .integer(let seconds): Double(seconds)
    case .number(let seconds): seconds
    default: nil
    }
  }
}
