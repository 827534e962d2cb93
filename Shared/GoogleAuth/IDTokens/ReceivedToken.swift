import Core
import Cryptography

/// A received token whose format has been checked. `IDTokenRules` or `AppCheckRules` check its
/// claims.
struct ReceivedToken: Sendable {
  /// The maximum size in bytes. Firebase's tokens have about 1,000 bytes, and up to 1,000 more with
  /// custom claims.
  private static let maximumBytes = 16 * 1024
  /// The number of seconds by which the issuer's clock may be ahead of this machine's.
  static let leeway: Int64 = 60

  /// The token's name in error messages, such as `the ID token`. The messages don't repeat the
  /// token.
  let name: String
  private let token: JSONWebToken

  /// Creates a token by decoding a text.
  ///
  /// - Throws: `UNAUTHENTICATED` if the text is too long or isn't a JSON Web Token. The functions
  ///   of this type throw the same code.
  init(_ text: String, name: String) throws(StatusError) {
    self.name = name
    guard text.utf8.count <= Self.maximumBytes else {
      throw StatusError(.unauthenticated, "\(name) is too long")
    }
    guard let token = try? JSONWebToken(text) else {
      throw StatusError(.unauthenticated, "\(name) is not a JSON Web Token")
    }
    self.token = token
  }

  func refusal(_ reason: String) -> StatusError {
    StatusError(.unauthenticated, "\(name) \(reason)")
  }

  /// The claims, byte for byte as sent.
  var claims: Data { token.payload }

  // MARK: Header and signature

  /// Returns the ID of the key that the header names.
  func keyID() throws(StatusError) -> String {
    try checkHeader(algorithm: "RS256")
    guard let keyID = token.header["kid"]?.string, !keyID.isEmpty else {
      throw refusal("has no kid in its header")
    }
    return keyID
  }

  /// Checks that the token is unsigned.
  func checkUnsigned() throws(StatusError) {
    try checkHeader(algorithm: "none")
    guard token.signature.isEmpty else {
      throw refusal("has a signature although its alg is none")
    }
  }

  private func checkHeader(algorithm: String) throws(StatusError) {
    guard token.header["alg"] == .string(algorithm) else {
      throw refusal(
        algorithm == "none" ? "is not unsigned" : "is not signed with \(algorithm)"
      )
    }
    guard token.header["typ"] == .string("JWT") else {
      throw refusal("has a typ other than JWT")
    }
    // `crit` lists headers that a recipient must understand (RFC 7515, section 4.1.11). None is
    // supported.
    guard token.header["crit"] == nil else { throw refusal("has the unsupported header crit") }
  }

  func isSigned(by key: RSAPublicKey) -> Bool {
    key.verifies(token.signature, of: Data(token.signedPart.utf8))
  }

  // MARK: Claims

  subscript(claim: String) -> JSONValue? { token.claims[claim] }

  /// Checks that `exp` is in the future, and that `iat` and the claims named in `past` are in the
  /// past.
  ///
  /// - Parameter now: The time in seconds since 1970.
  func checkTimes(now: Int64, past: String...) throws(StatusError) {
    guard try time("exp") > now else { throw refusal("has expired") }
    for claim in ["iat"] + past {
      guard try time(claim) <= now + Self.leeway else { throw refusal("is from the future") }
    }
  }

  private func time(_ claim: String) throws(StatusError) -> Int64 {
    guard case .integer(let seconds) = token.claims[claim], seconds >= 0 else {
      throw refusal("has no valid \(claim) time")
    }
    return seconds
  }
}
