import Core
import Cryptography
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RSAKeyTests {
  private static let key = Result { try RSAKey.generate() }
  private static let otherKey = Result { try RSAKey.generate() }

  @Test(arguments: [0, 1, 256, 100_000])
  func `a signature is valid for its message and its key alone`(count: Int) throws {
    let (key, other) = (try Self.key.get(), try Self.otherKey.get())
    let message = Data(repeating: 7, count: count)
    let signature = try key.sign(message)
    #expect(signature.count == 256)
    #expect(try key.sign(message) == signature)
    #expect(key.verifies(signature, of: message))
    #expect(!key.verifies(signature, of: message + [7]))
    #expect(!other.verifies(signature, of: message))
    #expect(!key.verifies(signature.dropLast(), of: message))
    #expect(!key.verifies(Data(), of: message))
    var changed = signature
    changed[100] ^= 1
    #expect(!key.verifies(changed, of: message))
  }

  @Test func `a key is read back as it was written`() throws {
    let key = try Self.key.get()
    let pem = try key.pem()
    #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    let signature = try RSAKey(pem: pem).sign(Data("m".utf8))
    #expect(key.verifies(signature, of: Data("m".utf8)))
  }

  @Test(arguments: [
    ("", "the private key is not PKCS#8 in PEM format"),
    ("nonsense", "the private key is not PKCS#8 in PEM format"),
    (
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      "the private key is not PKCS#8 in PEM format"
    ),
    (PrivateKeys.encrypted, "the private key is not PKCS#8 in PEM format"),
    (PrivateKeys.ellipticCurve, "the private key is not an RSA key"),
  ])
  func `an invalid RSA key is refused as a configuration error`(pem: String, reason: String) {
    let refusal = StatusError.configuration(.failedPrecondition, reason)
    #expect(throws: refusal) { try RSAKey(pem: pem) }
  }

  @Test func `a truncated key is refused`() throws {
    let pem = try Self.key.get().pem()
    #expect(throws: StatusError.self) { try RSAKey(pem: String(pem.prefix(pem.utf8.count / 2))) }
  }
}
