import Core

/// The custom claims of an account or of a custom token.
enum CustomClaims {
  /// The maximum length of an account's claims in UTF-16 code units.
  private static let maximumLength = 1_000

  /// The names that JSON Web Tokens and Firebase use themselves.
  ///
  /// Source: firebase.google.com/docs/auth/admin/create-custom-tokens.
  private static let reserved: [ByteKey] = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
  ]

  /// Checks an account's claims.
  ///
  /// - Parameter text: A JSON object as text.
  static func check(_ text: String) throws(AuthenticationError) {
    guard text.utf16.count <= maximumLength else { throw .refused("CLAIMS_TOO_LARGE") }
    guard let claims = try? JSONValue(parsing: Data(text.utf8), limits: JSONLimits(depth: 16))
    else {
      throw .refused("INVALID_CLAIMS")
    }
    _ = try check(claims)
  }

  /// Checks the claims of a custom token, and returns them.
  static func check(_ claims: JSONValue) throws(AuthenticationError) -> JSONObject {
    guard let members = claims.object else { throw .refused("INVALID_CLAIMS") }
    if let name = reserved.first(where: { members[$0] != nil }) {
      throw .refused("FORBIDDEN_CLAIM : \(name)")
    }
    return members
  }

  /// Returns the claims of an account. A text that isn't an object has none.
  static func parse(_ text: String?) -> JSONObject {
    guard let text, !text.isEmpty else { return [:] }
    return (try? JSONValue(parsing: Data(text.utf8)))?.object ?? [:]
  }
}
