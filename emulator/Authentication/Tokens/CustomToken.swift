import Core
import Cryptography

/// A token that a server makes to sign a user in.
struct CustomToken: Sendable {
  private static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  let localId: String
  let claims: JSONObject

  /// Creates a token by decoding a text: a JSON Web Token or, in emulators only, a JSON object. The
  /// signature and the times aren't checked.
  init(_ text: String) throws(AuthenticationError) {
    let members = try Self.members(of: text)
    let id = (members["uid"] ?? members["user_id"]).flatMap(RequestFields.text)
    guard let id, !id.isEmpty else { throw .refused("MISSING_IDENTIFIER") }
    guard CallerIdentity.isUserID(id) else {
      throw .refused("INVALID_CUSTOM_TOKEN : ((The uid has more than 128 characters.))")
    }
    localId = id
    guard members["tenant_id"]?.string?.isEmpty != false else {
      throw .unimplemented("tenant_id is not implemented in the Auth Emulator.")
    }
    if let claims = members["claims"], let failure = CustomClaims.failure(of: claims) {
      throw failure.error
    }
    claims = members["claims"]?.object ?? [:]
  }

  private static func members(of text: String) throws(AuthenticationError) -> JSONObject {
    if text.utf8.first == UInt8(ascii: "{") {
      let json = try? JSONValue(parsing: Data(text.utf8), limits: JSONLimits(depth: 16))
      guard let members = json?.object else {
        throw .refused(
          "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom "
            + "tokens.))"
        )
      }
      return members
    }
    guard let token = try? JSONWebToken(text) else {
      throw .refused("INVALID_CUSTOM_TOKEN : Invalid assertion format")
    }
    let audience = token.claims["aud"]?.string ?? ""
    guard audience.hasSameBytes(as: Self.audience) else {
      throw .refused(
        "INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): \(audience.prefix(200)) Note: Firebase ID "
          + "Tokens / third-party tokens cannot be used with signInWithCustomToken.))"
      )
    }
    return token.claims
  }
}
