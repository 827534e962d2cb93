import CLibcrypto
package import Core

/// A public RSA key, for RS256 signatures of others.
package final class RSAPublicKey: Sendable {
  /// RFC 7518 asks for 2,048 at least; more than 8,192 would only cost whoever verifies.
  private static let bits: ClosedRange<Int32> = 2_048...8_192
  /// No longer number is of a key with so many bits.
  private static let maximumBytes = 1_025

  // As in `RSAKey`: nothing changes it.
  private nonisolated(unsafe) let key: OpaquePointer

  private init(taking key: OpaquePointer) throws(StatusError) {
    // It is this object's from here on: `deinit` follows a throw, too.
    self.key = key
    guard Self.bits.contains(EVP_PKEY_get_bits(key)), clibcrypto_has_sound_exponent(key) == 1 else {
      throw StatusError(.invalidArgument, "the RSA key is too weak, or too large")
    }
  }

  deinit { EVP_PKEY_free(key) }

  /// The key that a certificate is about. Whoever got the certificate from its publisher knows what
  /// it is worth: neither its dates nor its signature are looked at.
  ///
  /// - Parameter certificate: PEM of X.509.
  /// - Throws: `INVALID_ARGUMENT` if it is none, or its key isn't one of RSA with 2,048 bits or more.
  package convenience init(certificate: String) throws(StatusError) {
    let parsed = certificate.withCString { text -> OpaquePointer? in
      guard let memory = BIO_new_mem_buf(text, -1) else { return nil }
      defer { BIO_free(memory) }
      // Given none, libcrypto would ask the terminal, or stdin, for a passphrase.
      var noPassphrase: CChar = 0
      return PEM_read_bio_X509(memory, nil, nil, &noPassphrase)
    }
    guard let parsed else {
      throw StatusError(.invalidArgument, "the certificate is not a PEM of X.509")
    }
    defer { X509_free(parsed) }
    guard let key = X509_get_pubkey(parsed) else {
      throw StatusError(.invalidArgument, "the certificate has no key that can be read")
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      throw StatusError(.invalidArgument, "the certificate's key is not an RSA key")
    }
    try self.init(taking: key)
  }

  /// The key of a JSON Web Key (RFC 7518, section 6.3.1).
  ///
  /// - Parameters: the numbers `n` and `e`, most significant byte first.
  /// - Throws: `INVALID_ARGUMENT` if they are no key, or one with fewer than 2,048 bits.
  package convenience init(modulus: Data, exponent: Data) throws(StatusError) {
    let (n, e) = ([UInt8](modulus), [UInt8](exponent))
    guard !n.isEmpty, !e.isEmpty, n.count <= Self.maximumBytes, e.count <= n.count,
      let key = clibcrypto_rsa_public(n, n.count, e, e.count)
    else { throw StatusError(.invalidArgument, "the numbers are no RSA key") }
    try self.init(taking: key)
  }

  /// Whether an RS256 signature is this key's over a message.
  package func verifies(_ signature: Data, of message: Data) -> Bool {
    RS256.verifies(signature, of: message, key: key)
  }
}
