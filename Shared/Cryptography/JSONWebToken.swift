package import Platform
package import RPCStatus

/// A JSON Web Token in compact form: header, payload and signature, joined by dots.
package struct JSONWebToken: Sendable {
  /// What the signature is over.
  package var signedPart: String
  package var header: Data
  package var payload: Data
  /// Empty for an unsigned token.
  package var signature: Data

  /// - Throws: `UNAUTHENTICATED` for text of another form. Nothing is verified.
  package init(_ token: String) throws(StatusError) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw StatusError(.unauthenticated, "the token is not a JSON Web Token") }
    self.header = header
    self.payload = payload
    self.signature = signature
    signedPart = parts[0] + "." + parts[1]
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
