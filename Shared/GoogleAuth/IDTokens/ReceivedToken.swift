import Core
import Cryptography

/// A received token whose format is checked. Its claims are checked by the rules of its kind.
struct ReceivedToken: Sendable {
  /// The maximum size. Firebase's tokens have some 1,000 bytes, and 1,000 more with the maximum of
  /// custom claims.
  private static let maximumBytes = 16 * 1024
  /// The tolerance for the issuer's clock, in seconds ahead of ours.
  static let leeway: Int64 = 60

  /// The token's name in messages, which repeat nothing of the token.
  let name: String
  private let token: JSONWebToken

  /// Creates a token by decoding a text.
  ///
  /// - Throws: `UNAUTHENTICATED`, like all functions of this type, if the text is too long or isn't
  ///   a JSON Web Token.
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
    // A header that must be understood (RFC 7515, section 4.1.11).
    guard token.header["crit"] == nil else { throw refusal("has the unsupported header crit") }
  }

  func isSigned(by key: RSAPublicKey) -> Bool {
    key.verifies(token.signature, of: Data(token.signedPart.utf8))
  }

  // MARK: Claims

  subscript(claim: String) -> JSONValue? { token.claims[claim] }

  /// Checks that the token is valid now, by `exp`, `iat` and further claims that are past times.
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
