import Core

/// The `openssl` tool. It makes keys, certificates and signatures for code that only reads them.
package enum OpenSSL {
  package static let isInstalled = OpenSSLServer.isInstalled

  /// Runs the tool and returns its stdout.
  package static func run(_ arguments: String..., input: String) async throws -> String {
    let output = try await runProgram(
      "/usr/bin/env",
      ["openssl"] + arguments,
      input: Array(input.utf8)
    )
    guard output.exitCode == 0 else { throw StatusError(.internal, output.errorText) }
    return output.text
  }

  /// Returns a self-signed X.509 certificate for a key, in PEM.
  ///
  /// - Parameter key: the private key in PEM.
  package static func certificate(of key: String) async throws -> String {
    try await run(
      "req",
      "-x509",
      "-new",
      "-key",
      "/dev/stdin",
      "-days",
      "2",
      "-subj",
      "/CN=securetoken",
      input: key
    )
  }

  /// Returns the modulus of an RSA key.
  package static func modulus(of key: String) async throws -> [UInt8] {
    let line = try await run("rsa", "-in", "/dev/stdin", "-noout", "-modulus", input: key)
    return bytes(hexadecimal: line.dropFirst("Modulus=".count).filter(\.isHexDigit))
  }

  /// Returns an HMAC with SHA-256, the signature of a JSON Web Token with the algorithm HS256.
  package static func hmac(_ message: String, secret: String) async throws -> [UInt8] {
    let key = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let line = try await run(
      "dgst",
      "-sha256",
      "-mac",
      "HMAC",
      "-macopt",
      "hexkey:\(key)",
      input: message
    )
    return bytes(hexadecimal: line.drop { $0 != "=" }.filter(\.isHexDigit))
  }

  private static func bytes(hexadecimal: some StringProtocol) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
