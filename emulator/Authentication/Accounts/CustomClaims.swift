import Core

/// The custom claims of an account or of a custom token.
enum CustomClaims {
  /// A reason to refuse claims.
  enum Failure {
    case tooLarge
    case invalid
    /// A claim has a reserved name.
    case forbidden(String)

    /// The error of an operation on one account.
    var error: AuthenticationError {
      switch self {
      case .tooLarge: .refused("CLAIMS_TOO_LARGE")
      case .invalid: .refused("INVALID_CLAIMS")
      case .forbidden(let name): .refused("FORBIDDEN_CLAIM : \(name)")
      }
    }

    /// The message of an account that can't be imported.
    var explanation: String {
      switch self {
      case .tooLarge: "Custom claims provided are too large."
      case .invalid: "Invalid custom claims provided."
      case .forbidden: "Custom claims provided include a reserved claim."
      }
    }
  }

  /// The maximum length of an account's claims in UTF-16 code units.
  private static let maximumLength = 1_000

  /// The names that JSON Web Tokens and Firebase use themselves.
  ///
  /// Source: firebase.google.com/docs/auth/admin/create-custom-tokens.
  private static let reserved: [ByteKey] = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
    "auth_time", "firebase", "at_hash", "c_hash",
  ]

  /// Returns the reason to refuse an account's claims, or `nil` if they are valid.
  ///
  /// - Parameter text: A JSON object as text.
  static func failure(of text: String) -> Failure? {
    guard text.utf16.count <= maximumLength else { return .tooLarge }
    guard let claims = try? JSONValue(parsing: Data(text.utf8), limits: JSONLimits(depth: 16))
    else {
      return .invalid
    }
    return failure(of: claims)
  }

  /// Returns the reason to refuse the claims of a custom token, or `nil` if they are valid.
  static func failure(of claims: JSONValue) -> Failure? {
    guard let members = claims.object else { return .invalid }
    return reserved.first { members[$0] != nil }.map { .forbidden($0.string) }
  }

  /// Returns the claims of an account. A text that isn't an object has none.
  static func parse(_ text: String?) -> JSONObject {
    guard let text, !text.isEmpty else { return [:] }
    return (try? JSONValue(parsing: Data(text.utf8)))?.object ?? [:]
  }
}
