import Core
import Cryptography

/// The format in which public keys are published.
enum KeyFormat: Sendable {
  /// A JSON object that maps key IDs to X.509 certificates in PEM format.
  case certificates
  /// A JSON Web Key Set (RFC 7517).
  case keySet

  /// Returns the RS256 keys by key ID.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there are no keys or one is invalid.
  func keys(in data: Data) throws(StatusError) -> [ByteKey: RSAPublicKey] {
    let json = try JSONValue(
      parsing: data,
      limits: JSONLimits(depth: 16, allowsRepeatedNames: false)
    )
    let keys =
      switch self {
      case .certificates: try Self.certificates(json)
      case .keySet: try Self.keySet(json)
      }
    guard !keys.isEmpty else { throw StatusError(.invalidArgument, "there is no key") }
    return keys
  }

  private static func certificates(_ json: JSONValue) throws(StatusError) -> [ByteKey: RSAPublicKey]
  {
    var keys: [ByteKey: RSAPublicKey] = [:]
    for (name, certificate) in json.object ?? [:] {
      guard let certificate = certificate.string else {
        throw StatusError(.invalidArgument, "a certificate is not a string")
      }
      keys[name] = try RSAPublicKey(certificate: certificate)
    }
    return keys
  }

  private static func keySet(_ json: JSONValue) throws(StatusError) -> [ByteKey: RSAPublicKey] {
    var keys: [ByteKey: RSAPublicKey] = [:]
    for entry in json["keys"]?.array ?? [] {
      // Keys for another algorithm or use must be ignored (RFC 7517, section 5).
      guard entry["kty"] == .string("RSA"), [nil, .string("RS256")].contains(entry["alg"]),
        [nil, .string("sig")].contains(entry["use"])
      else { continue }
      guard let name = entry["kid"]?.string, let n = entry["n"]?.string, let e = entry["e"]?.string,
        let modulus = Base64URL.decode(n), let exponent = Base64URL.decode(e)
      else { throw StatusError(.invalidArgument, "a key has no kid, n or e") }
      guard keys[name] == nil else {
        throw StatusError(.invalidArgument, "two keys have the same kid")
      }
      keys[name] = try RSAPublicKey(modulus: modulus, exponent: exponent)
    }
    return keys
  }
}
