import CLibcrypto
package import Core

/// An RSA key pair, for the RS256 signatures of service accounts.
package final class RSAKey: Sendable {
  // An EVP_PKEY is not changed after its making; libcrypto allows reading one from many threads.
  private nonisolated(unsafe) let key: OpaquePointer

  private init(taking key: OpaquePointer) { self.key = key }

  deinit { EVP_PKEY_free(key) }

  /// - Parameter pem: PKCS#8, as in a service account's `private_key`.
  /// - Throws: a configuration error if it is no RSA private key.
  package convenience init(pem: String) throws(StatusError) {
    let key = pem.withCString { text -> OpaquePointer? in
      guard let memory = BIO_new_mem_buf(text, -1) else { return nil }
      defer { BIO_free(memory) }
      // Given none, libcrypto would ask the terminal, or stdin, for a passphrase.
      var noPassphrase: CChar = 0
      return PEM_read_bio_PrivateKey(memory, nil, nil, &noPassphrase)
    }
    guard let key else {
      throw .configuration(.failedPrecondition, "the private key is not a PEM of PKCS#8")
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      throw .configuration(.failedPrecondition, "the private key is not an RSA key")
    }
    self.init(taking: key)
  }

  /// A new pair. 2,048 bits take some 100 ms.
  package static func generate(bits: UInt32 = 2_048) throws(StatusError) -> RSAKey {
    guard let key = clibcrypto_generate_rsa(bits) else {
      throw StatusError(.internal, "libcrypto could not make an RSA key")
    }
    return RSAKey(taking: key)
  }

  /// The private key as PEM of PKCS#8.
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

  /// RSASSA-PKCS1-v1_5 over SHA-256, which JWT calls RS256.
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

  /// Whether a signature is this pair's over a message.
  package func verifies(_ signature: Data, of message: Data) -> Bool {
    RS256.verifies(signature, of: message, key: key)
  }
}
