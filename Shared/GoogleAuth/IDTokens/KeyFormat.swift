import Core
import Cryptography

/// How public keys are published.
enum KeyFormat: Sendable {
  /// A JSON object of X.509 certificates in PEM, under the names of their keys.
  case certificates
  /// A JSON Web Key Set (RFC 7517).
  case keySet

  /// The keys for RS256 under their names.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there is none, or something that isn't one is in its place.
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
      // What is for another algorithm or use is to be passed over (RFC 7517, section 5).
      guard entry["kty"] == .string("RSA"), [nil, .string("RS256")].contains(entry["alg"]),
        [nil, .string("sig")].contains(entry["use"])
      else { continue }
      guard let name = entry["kid"]?.string, let n = entry["n"]?.string, let e = entry["e"]?.string,
        let modulus = Base64URL.decode(n), let exponent = Base64URL.decode(e)
      else { throw StatusError(.invalidArgument, "a key has no kid, n or e") }
      guard keys[name] == nil else { throw StatusError(.invalidArgument, "two keys have one kid") }
      keys[name] = try RSAPublicKey(modulus: modulus, exponent: exponent)
    }
    return keys
  }
}
