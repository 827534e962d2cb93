import CLibcrypto
package import Core

/// An RSA key pair, for the RS256 signatures of service accounts.
package final class RSAKey: Sendable {
  // The key is never changed, and libcrypto allows concurrent reads.
  private nonisolated(unsafe) let key: OpaquePointer

  private init(taking key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  /// Creates a key pair from a private key.
  ///
  /// - Parameter pem: PKCS#8 in PEM format, as in a service account's `private_key`.
  /// - Throws: A configuration error if the text isn't an RSA private key.
  package convenience init(pem: String) throws(StatusError) {
    let key = pem.withCString { text -> OpaquePointer? in
      guard let memory = clibcrypto_reader(text) else { return nil }
      defer { BIO_free(memory) }
      // Pass an empty passphrase. Otherwise libcrypto would ask for one on the terminal or stdin.
      var noPassphrase: CChar = 0
      return PEM_read_bio_PrivateKey(memory, nil, nil, &noPassphrase)
    }
    guard let key else {
      throw .configuration(.failedPrecondition, "the private key is not PKCS#8 in PEM format")
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      throw .configuration(.failedPrecondition, "the private key is not an RSA key")
    }
    self.init(taking: key)
  }

  /// Generates a key pair. For 2,048 bits it takes about 100 ms.
  package static func generate(bits: UInt32 = 2_048) throws(StatusError) -> RSAKey {
    guard let key = clibcrypto_generate_rsa(bits) else {
      throw StatusError(.internal, "libcrypto could not generate an RSA key")
    }
    return RSAKey(taking: key)
  }

  /// Returns the private key as PKCS#8 in PEM format.
  package func pem() throws(StatusError) -> String {
    guard let memory = clibcrypto_memory() else {
      throw StatusError(.internal, "libcrypto is out of memory")
    }
    defer { BIO_free(memory) }
    var bytes: UnsafeMutablePointer<CChar>?
    guard PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1,
      case let count = clibcrypto_memory_contents(memory, &bytes), count > 0, let bytes
    else { throw StatusError(.internal, "libcrypto could not write the key") }
    return String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: count),
      as: UTF8.self
    )
  }

  /// Signs a message with RSASSA-PKCS1-v1_5 over SHA-256, which JWT calls RS256.
  package func sign(_ message: Data) throws(StatusError) -> Data {
    guard let context = EVP_MD_CTX_new() else {
      throw StatusError(.internal, "libcrypto is out of memory")
    }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var count = signature.count
    let signed = message.withUnsafeBytes { bytes in
      EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
        && EVP_DigestSign(
          context,
          &signature,
          &count,
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
          bytes.count
        ) == 1
    }
    guard signed else { throw StatusError(.internal, "libcrypto could not sign") }
    return Data(signature[..<count])
  }

  /// Returns whether a signature of a message was made with this key.
  package func verifies(_ signature: Data, of message: Data) -> Bool {
    RS256.verifies(signature, of: message, key: key)
  }
}
