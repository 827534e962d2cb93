import Core
import Cryptography

/// A token that somebody sent, taken apart. Its form is checked; whether it is true is for the rules
/// of its kind.
struct ReceivedToken: Sendable {
  /// Firebase's tokens have some 1,000 bytes, 1,000 more with as many custom claims as may be.
  private static let maximumBytes = 16 * 1024
  /// How far the clock of whoever made a token may be ahead of ours, in seconds.
  static let leeway: Int64 = 60

  /// What it is called in messages, which repeat nothing of it.
  let name: String
  private let token: JSONWebToken

  /// - Throws: `UNAUTHENTICATED`, as everything here does, if it is too long or no JSON Web Token.
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

  /// Its claims, as they were sent.
  var claims: Data { token.payload }

  // MARK: Header and signature

  /// Which key the header says it is signed with.
  func keyID() throws(StatusError) -> String {
    try checkHeader(algorithm: "RS256")
    guard let keyID = token.header["kid"]?.string, !keyID.isEmpty else {
      throw refusal("doesn't say with which key it is signed")
    }
    return keyID
  }

  /// - Throws: if it is signed.
  func checkUnsigned() throws(StatusError) {
    try checkHeader(algorithm: "none")
    guard token.signature.isEmpty else {
      throw refusal("has a signature and says that it has none")
    }
  }

  private func checkHeader(algorithm: String) throws(StatusError) {
    guard token.header["alg"] == .string(algorithm) else {
      throw refusal(
        algorithm == "none" ? "is not an unsigned one" : "is not signed with \(algorithm)"
      )
    }
    guard token.header["typ"] == .string("JWT") else {
      throw refusal("is of another type than JWT")
    }
    // RFC 7515, section 4.1.11: what must be understood and isn't.
    guard token.header["crit"] == nil else { throw refusal("has a header that isn't understood") }
  }

  func isSigned(by key: RSAPublicKey) -> Bool {
    key.verifies(token.signature, of: Data(token.signedPart.utf8))
  }

  // MARK: Claims

  subscript(claim: String) -> JSONValue? { token.claims[claim] }

  /// Whether it is of this time, by `exp`, `iat` and further claims that are times in the past.
  ///
  /// - Parameter now: seconds since 1970.
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
