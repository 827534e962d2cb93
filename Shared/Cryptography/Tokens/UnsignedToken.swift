package import Core

/// A Firebase ID token that emulators accept without verifying its signature.
package struct UnsignedToken: Sendable {
  /// The ID of the token's user.
  package let uid: String
  /// All claims of the token as a JSON object.
  package let claims: Data
  /// All claims of the token, decoded.
  package let decodedClaims: JSONObject
  /// The ID of the project that the token is for, or `nil` if the token names none.
  package let audience: String?
  /// The time of issue in seconds since 1970, or `nil` if the token doesn't state it.
  package let issuedAt: Int64?

  /// Creates a token by decoding a text.
  ///
  /// - Throws: `UNAUTHENTICATED` if the text isn't a JSON Web Token or names no user.
  package init(_ token: String) throws(StatusError) { try self.init(JSONWebToken(token)) }

  /// Creates a token from a decoded JSON Web Token.
  ///
  /// - Throws: `UNAUTHENTICATED` if the token names no user.
  package init(_ token: JSONWebToken) throws(StatusError) {
    func text(_ claim: ByteKey) throws(StatusError) -> String? {
      switch token.claims[claim] {
      case nil, .null: return nil
      case .string(let text): return text
      default: throw StatusError(.unauthenticated, "the token's claim \(claim) isn't a string")
      }
    }
    let userID = try text("user_id")
    guard let uid = try text("sub") ?? userID else {
      throw StatusError(.unauthenticated, "the token names no user")
    }
    guard CallerIdentity.isUserID(uid) else {
      throw StatusError(.unauthenticated, "the token's user ID doesn't have 1 to 128 characters")
    }
    self.uid = uid
    self.claims = token.payload
    decodedClaims = token.claims
    audience = try text("aud")
    issuedAt = if case .integer(let time)? = token.claims["iat"] { time } else { nil }
  }

  /// Returns the claim `iss` of all ID tokens of a project.
  package static func issuer(of project: String) -> String {
    "https://securetoken.google.com/\(project)"
  }

  /// Returns an unsigned token for a user of a project, valid for an hour.
  ///
  /// - Parameters:
  ///   - claims: Custom claims; they can't replace the standard ones.
  ///   - now: The time in seconds since 1970.
  package static func encode(
    uid: String,
    project: String,
    claims: JSONObject = [:],
    now: Int64
  ) throws(StatusError) -> String {
    var all = claims
    all["sub"] = .string(uid)
    all["user_id"] = .string(uid)
    all["aud"] = .string(project)
    all["iss"] = .string(issuer(of: project))
    all["auth_time"] = .integer(now)
    all["iat"] = .integer(now)
    all["exp"] = .integer(now + 3_600)
    all["firebase"] = .object(["sign_in_provider": .string("custom")])
    guard let header = try? JSON.encode(["alg": "none", "typ": "JWT"]),
      let payload = try? JSON.encode(JSONValue.object(all))
    else { throw StatusError(.invalidArgument, "the claims can't be encoded") }
    return try JSONWebToken.encode(header: header, payload: payload, key: nil)
  }
}
