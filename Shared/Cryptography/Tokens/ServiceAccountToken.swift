package import Core

/// A JSON Web Token that a client signed with a service account's key, in place of an access token.
///
/// Emulators accept such a token without verifying its signature. Source: google.aip.dev/auth/4111.
package struct ServiceAccountToken: Sendable {
  /// The suffix of every service account's address.
  private static let domain = ".gserviceaccount.com"

  private let token: JSONWebToken

  /// Creates a token, or returns `nil` if the issuer and the subject aren't the same service
  /// account. In an ID token, they differ.
  package init?(_ token: JSONWebToken) {
    guard let issuer = token.claims["iss"]?.string, token.claims["sub"] == .string(issuer),
      issuer.utf8.suffix(Self.domain.utf8.count).elementsEqual(Self.domain.utf8)
    else { return nil }
    self.token = token
  }

  /// Checks that the token gives access to one of Google's services.
  ///
  /// - Parameters:
  ///   - host: The service's host, such as `firestore.googleapis.com`.
  ///   - scopes: The suffixes of the accepted OAuth scopes, such as `datastore`.
  ///   - now: The time in seconds since 1970.
  /// - Throws: `UNAUTHENTICATED` if the token is for another service, has expired, has no
  ///   expiration time or has no signature.
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
      throw refusal("has an aud or a scope that is not a string")
    }
    guard let end = Self.seconds(token.claims["exp"]) else {
      throw refusal("has no valid exp time")
    }
    guard end > Double(now) else { throw refusal("has expired") }
    if let audience = audience.string {
      let address = "https://\(host)"
      guard audience.hasSameBytes(as: address) || audience.utf8.starts(with: "\(address)/".utf8)
      else { throw refusal("is for another audience: it must be \(address)/") }
    } else {
      let granted = (scope.string ?? "").utf8.split(separator: UInt8(ascii: " "))
      let opens = scopes.contains { scope in
        granted.contains { $0.elementsEqual("https://www.googleapis.com/auth/\(scope)".utf8) }
      }
      guard opens else { throw refusal("has no scope for \(host)") }
    }
  }

  /// Returns the time in a claim: seconds since 1970, possibly with a fraction (RFC 7519).
  private static func seconds(_ claim: JSONValue?) -> Double? {
    switch claim {
    case .integer(let seconds): Double(seconds)
    case .number(let seconds): seconds
    default: nil
    }
  }
}
