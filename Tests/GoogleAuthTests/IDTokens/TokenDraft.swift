import Core
import Cryptography
import TestKit

/// A token before it is signed.
struct TokenDraft {
  static let project = "worldchat-1"
  static let projectNumber = "123456789012"

  var header: JSONObject
  var claims: JSONObject

  /// Returns an ID token for the user `sarah`, with the claims that Firebase issues.
  static func idToken(
    keyID: String = "first",
    project: String = Self.project,
    now: Int64 = TestClock.start
  ) -> TokenDraft {
    TokenDraft(
      header: ["alg": .string("RS256"), "kid": .string(keyID), "typ": .string("JWT")],
      claims: [
        "iss": .string("https://securetoken.google.com/\(project)"), "aud": .string(project),
        "auth_time": .integer(now - 60), "user_id": .string("sarah"), "sub": .string("sarah"),
        "iat": .integer(now - 10), "exp": .integer(now + 3_590), "email": .string("sarah@x.test"),
        "firebase": .object(["sign_in_provider": .string("password")]),
      ]
    )
  }

  /// Returns an App Check token for the project's web app, with the claims that App Check issues.
  static func appCheck(
    keyID: String = "first",
    number: String = Self.projectNumber,
    now: Int64 = TestClock.start
  ) -> TokenDraft {
    TokenDraft(
      header: ["alg": .string("RS256"), "kid": .string(keyID), "typ": .string("JWT")],
      claims: [
        "iss": .string("https://firebaseappcheck.googleapis.com/\(number)"),
        "aud": .array([.string("projects/\(number)"), .string("projects/\(project)")]),
        "sub": .string("1:\(number):web:abc"), "iat": .integer(now), "exp": .integer(now + 3_600),
      ]
    )
  }

  /// Returns the draft with a changed header field. A value of `nil` removes the field.
  func with(header name: String, _ value: JSONValue?) -> TokenDraft {
    var draft = self
    draft.header[name] = value
    return draft
  }

  func with(_ claim: String, _ value: JSONValue?) -> TokenDraft {
    var draft = self
    draft.claims[claim] = value
    return draft
  }

  /// Returns the signed token.
  ///
  /// - Parameter key: the key, or `nil` for an empty signature.
  func signed(by key: RSAKey?) throws -> String {
    try JSONWebToken.encode(
      header: Data(JSONValue.object(header).text.utf8),
      payload: Data(JSONValue.object(claims).text.utf8),
      key: key
    )
  }
}
