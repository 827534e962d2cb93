package import Core
package import Cryptography

/// A Firebase ID token as the emulators take it: read, not verified.
package struct UnsignedToken: Sendable {
  /// The user it speaks for.
  package let uid: String
  /// All that it says, a JSON object.
  package let claims: Data
  /// The project it is for, if it says so.
  private let audience: String?

  /// - Throws: `UNAUTHENTICATED` if it is no JSON Web Token or names nobody.
  package init(_ token: String) throws(StatusError) { try self.init(JSONWebToken(token)) }

  /// - Throws: `UNAUTHENTICATED` if the token names nobody.
  package init(_ token: JSONWebToken) throws(StatusError) {
    let claims = ["sub", "user_id", "aud"].map { token.claims[$0] ?? .null }
    guard claims.allSatisfy({ $0 == .null || $0.string != nil }),
      let uid = claims[0].string ?? claims[1].string, CallerIdentity.isUserID(uid)
    else { throw StatusError(.unauthenticated, "the token names no user") }
    self.uid = uid
    self.claims = token.payload
    audience = claims[2].string
  }

  /// Nobody knows who made it: it is nobody's token but in a demonstration, and there in its own.
  ///
  /// - Parameter project: the emulator's.
  /// - Throws: `UNAUTHENTICATED` if it isn't for this project, or that is none of a demonstration.
  package func checkProject(_ project: String) throws(StatusError) {
    guard project.hasPrefix("demo-") else {
      throw StatusError(
        .unauthenticated,
        "unsigned tokens are only for projects that begin with demo-; "
          + "verified tokens are what `serve` takes"
      )
    }
    guard audience?.hasSameBytes(as: project) == true else {
      throw StatusError(.unauthenticated, "the token is not for project \(quoted(project))")
    }
  }

  /// Makes such a token for a user of a project, good for an hour.
  ///
  /// - Parameters:
  ///   - claims: added to the standard ones, which they can't replace.
  ///   - now: seconds since 1970.
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
    all["iss"] = .string("https://securetoken.google.com/\(project)")
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
