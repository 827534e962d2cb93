import Core
import Cryptography
import TestKit

/// A key pair as Google has it, and its public key in the published formats.
struct SigningKey: Sendable {
  var id: String
  var key: RSAKey
  /// The X.509 certificate, in PEM format.
  var certificate: String
  var modulus: [UInt8]

  private static let made = Task {
    var keys: [SigningKey] = []
    for id in ["first", "second"] { keys.append(try await SigningKey(id)) }
    return keys
  }

  static var first: SigningKey { get async throws { try await made.value[0] } }
  static var second: SigningKey { get async throws { try await made.value[1] } }

  private init(_ id: String) async throws {
    self.id = id
    key = try RSAKey.generate()
    let pem = try key.pem()
    certificate = try await OpenSSL.certificate(of: pem)
    modulus = try await OpenSSL.modulus(of: pem)
  }

  /// Returns the same key with another ID.
  func named(_ id: String) -> SigningKey {
    var key = self
    key.id = id
    return key
  }

  /// The public key as a JSON Web Key.
  var webKey: JSONValue {
    .object([
      "kty": .string("RSA"), "use": .string("sig"), "alg": .string("RS256"), "kid": .string(id),
      "n": .string(Base64URL.encode(Data(modulus))), "e": .string("AQAB"),
    ])
  }
}

extension [SigningKey] {
  /// The keys in the format of Firebase Authentication's published keys.
  var certificates: String {
    JSONValue.object(JSONObject(map { ($0.id, .string($0.certificate)) }))
      .text
  }

  /// The keys in the format of App Check's published keys.
  var keySet: String { JSONValue.object(["keys": .array(map(\.webKey))]).text }
}
