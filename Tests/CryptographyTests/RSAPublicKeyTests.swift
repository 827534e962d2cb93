import Core
import Cryptography
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RSAPublicKeyTests {
  private static let key = Result { try RSAKey.generate() }
  private static let otherKey = Result { try RSAKey.generate() }

  private static let exponent = Data([1, 0, 1])

  private func publicKeys(of key: RSAKey) async throws -> [RSAPublicKey] {
    let pem = try key.pem()
    return [
      try RSAPublicKey(certificate: try await OpenSSL.certificate(of: pem)),
      try RSAPublicKey(modulus: Data(try await OpenSSL.modulus(of: pem)), exponent: Self.exponent),
    ]
  }

  @Test(.enabled(if: OpenSSL.isInstalled), arguments: [0, 1, 256, 100_000])
  func `a signature is valid for its message and its key alone`(count: Int) async throws {
    let (key, other) = (try Self.key.get(), try Self.otherKey.get())
    let message = Data(repeating: 7, count: count)
    let signature = try key.sign(message)
    for publicKey in try await publicKeys(of: key) {
      #expect(publicKey.verifies(signature, of: message))
      #expect(!publicKey.verifies(signature, of: message + [7]))
      #expect(!publicKey.verifies(try other.sign(message), of: message))
      #expect(!publicKey.verifies(signature.dropLast(), of: message))
      #expect(!publicKey.verifies([0] + signature, of: message))
      #expect(!publicKey.verifies(signature + [0], of: message))
      #expect(!publicKey.verifies(Data(), of: message))
      #expect(!publicKey.verifies(Data(repeating: 0, count: 256), of: message))
      #expect(!publicKey.verifies(Data(repeating: 255, count: 256), of: message))
    }
  }

  /// The key and the signature are the example in RFC 7515, appendix A.2.
  @Test func `the standard's own signature is valid`() throws {
    let modulus = """
      ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4\
      d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re\
      xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxX\
      FvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
      """
    let token = """
      eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNv\
      bS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm\
      4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6\
      xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqv\
      hJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
      """
    let key = try RSAPublicKey(
      modulus: try #require(Base64URL.decode(modulus)),
      exponent: try #require(Base64URL.decode("AQAB"))
    )
    let parsed = try JSONWebToken(token)
    #expect(key.verifies(parsed.signature, of: Data(parsed.signedPart.utf8)))
    #expect(!key.verifies(parsed.signature, of: Data(parsed.signedPart.utf8).dropLast()))
  }

  @Test(.enabled(if: OpenSSL.isInstalled))
  func `a certificate of another kind of key, or of a weak one, is refused`() async throws {
    let weak = try await OpenSSL.certificate(of: try RSAKey.generate(bits: 1_024).pem())
    let curve = try await OpenSSL.certificate(of: PrivateKeys.ellipticCurve)
    for (certificate, reason) in [
      ("", "the certificate is not X.509 in PEM format"),
      ("nonsense", "the certificate is not X.509 in PEM format"),
      (PrivateKeys.ellipticCurve, "the certificate is not X.509 in PEM format"),
      (String(curve.prefix(curve.utf8.count / 2)), "the certificate is not X.509 in PEM format"),
      (weak, "the RSA key must have 2048 to 8192 bits and an odd exponent above 1"),
      (curve, "the certificate's key is not an RSA key"),
    ] {
      let refusal = StatusError(.invalidArgument, reason)
      #expect(throws: refusal) { try RSAPublicKey(certificate: certificate) }
    }
  }

  /// Returns an odd number with the given number of bits.
  private func number(bits: Int) -> Data {
    var bytes = [UInt8](repeating: 0x5A, count: (bits + 7) / 8)
    bytes[0] = 1 << UInt8((bits - 1) % 8)
    bytes[bytes.count - 1] |= 1
    return Data(bytes)
  }

  @Test func `numbers that make no secure key are refused`() {
    let weak = StatusError(
      .invalidArgument,
      "the RSA key must have 2048 to 8192 bits and an odd exponent above 1"
    )
    let none = StatusError(.invalidArgument, "n and e don't form an RSA key")
    for (modulus, exponent, refusal) in [
      (number(bits: 2_048), Self.exponent, nil), (number(bits: 8_192), Self.exponent, nil),
      ([0] + number(bits: 2_048), Self.exponent, nil),
      (number(bits: 2_047), Self.exponent, weak), (number(bits: 8_193), Self.exponent, weak),
      (number(bits: 2_048), Data([1]), weak), (number(bits: 2_048), Data([4]), weak),
      (number(bits: 2_048), Data([0]), weak), (Data(), Self.exponent, none),
      (number(bits: 2_048), Data(), none), (number(bits: 100_000), Self.exponent, none),
      (number(bits: 2_048), number(bits: 3_000), none), (Data([0]), Data([0]), weak),
    ] as [(Data, Data, StatusError?)] {
      let error = statusError { try RSAPublicKey(modulus: modulus, exponent: exponent) }
      #expect(error == refusal, "\(modulus.count) bytes, \(Array(exponent.prefix(4)))")
    }
  }
}
