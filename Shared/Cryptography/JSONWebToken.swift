package import Core

/// A JSON Web Token in compact form: header, claims and signature, joined by dots.
///
/// Source: RFC 7515 and 7519.
package struct JSONWebToken: Sendable {
  /// The text that the signature is over.
  package let signedPart: String
  package let header: JSONObject
  package let claims: JSONObject
  /// The claims as they were sent.
  package let payload: Data
  /// Empty for an unsigned token.
  package let signature: Data

  /// - Throws: `UNAUTHENTICATED` if it isn't three parts of base64url without padding, the first two
  ///   of them JSON objects. Nothing is verified.
  package init(_ token: String) throws(StatusError) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let (_, header) = Self.object(parts[0]),
      let (payload, claims) = Self.object(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw StatusError(.unauthenticated, "the token is not a JSON Web Token") }
    self.header = header
    self.claims = claims
    self.payload = payload
    self.signature = signature
    signedPart = parts[0] + "." + parts[1]
  }

  /// Decodes a part. Functions read the claims with parsers of their own, to whom they must say the
  /// same: nothing stands before the object, and no name stands in it twice.
  private static func object(_ part: Substring) -> (bytes: Data, members: JSONObject)? {
    let limits = JSONLimits(depth: 16, allowsRepeatedNames: false)
    guard let data = Base64URL.decode(part), data.first == UInt8(ascii: "{"),
      let members = (try? JSONValue(parsing: data, limits: limits))?.object
    else { return nil }
    return (data, members)
  }

  /// A token signed with RS256, or unsigned (`alg` must then say `none`).
  package static func encode(header: Data, payload: Data, key: RSAKey?) throws(StatusError)
    -> String
  {
    let signedPart = Base64URL.encode(header) + "." + Base64URL.encode(payload)
    let signature = try key?.sign(Data(signedPart.utf8)) ?? Data()
    return signedPart + "." + Base64URL.encode(signature)
  }
}
