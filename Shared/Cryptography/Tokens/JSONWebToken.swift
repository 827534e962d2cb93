package import Core

/// A JSON Web Token in compact form: header, claims and signature, joined by dots.
///
/// Source: RFC 7515 and 7519.
package struct JSONWebToken: Sendable {
  /// The header and the claims as sent, which the signature covers.
  package let signedPart: String
  package let header: JSONObject
  package let claims: JSONObject
  /// The claims, byte for byte as sent.
  package let payload: Data
  /// The signature; empty for an unsigned token.
  package let signature: Data

  /// Creates a token by decoding a text, without verifying it.
  ///
  /// - Throws: `UNAUTHENTICATED` if the text isn't three parts in base64url without padding, or if
  ///   one of the first two isn't a JSON object.
  package init(_ token: String) throws(StatusError) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw Self.invalid("it doesn't have three parts") }
    guard let (_, header) = Self.object(parts[0]) else {
      throw Self.invalid("its header isn't a JSON object in base64url")
    }
    guard let (payload, claims) = Self.object(parts[1]) else {
      throw Self.invalid("its claims aren't a JSON object in base64url")
    }
    guard let signature = Base64URL.decode(parts[2]) else {
      throw Self.invalid("its signature isn't in base64url")
    }
    self.header = header
    self.claims = claims
    self.payload = payload
    self.signature = signature
    signedPart = parts[0] + "." + parts[1]
  }

  private static func invalid(_ reason: String) -> StatusError {
    StatusError(.unauthenticated, "the token is not a JSON Web Token: \(reason)")
  }

  /// Decodes a part. A function parses the claims again, possibly with another parser, which must
  /// get the same result. So nothing may precede the object, and no name may be repeated.
  private static func object(_ part: Substring) -> (bytes: Data, members: JSONObject)? {
    let limits = JSONLimits(depth: 16, allowsRepeatedNames: false)
    guard let data = Base64URL.decode(part), data.first == UInt8(ascii: "{"),
      let members = (try? JSONValue(parsing: data, limits: limits))?.object
    else { return nil }
    return (data, members)
  }

  /// Returns a token signed with RS256. If `key` is `nil`, the token is unsigned, and the header's
  /// `alg` must be `none`.
  package static func encode(header: Data, payload: Data, key: RSAKey?) throws(StatusError)
    -> String
  {
    let signedPart = Base64URL.encode(header) + "." + Base64URL.encode(payload)
    let signature = try key?.sign(Data(signedPart.utf8)) ?? Data()
    return signedPart + "." + Base64URL.encode(signature)
  }
}
