import CLibcrypto
package import Core

/// An RSA public key, which verifies RS256 signatures.
package final class RSAPublicKey: Sendable {
  /// The allowed key sizes in bits. RFC 7518 requires at least 2,048; more than 8,192 would only
  /// slow down verification.
  private static let bits: ClosedRange<Int32> = 2_048...8_192
  /// The maximum length in bytes of `n` and `e`: 8,192 bits and a leading zero byte.
  private static let maximumBytes = 1_025

  // The key is never changed, and libcrypto allows concurrent reads.
  private nonisolated(unsafe) let key: OpaquePointer

  private init(taking key: OpaquePointer) throws(StatusError) {
    // Set the property first, so that `deinit` frees the key if this initializer throws.
    self.key = key
    guard Self.bits.contains(EVP_PKEY_get_bits(key)), clibcrypto_has_sound_exponent(key) == 1 else {
      throw StatusError(
        .invalidArgument,
        "the RSA key must have 2048 to 8192 bits and an odd exponent above 1"
      )
    }
  }

  deinit { EVP_PKEY_free(key) }

  /// Creates the public key that a certificate contains.
  ///
  /// The certificate's dates and signature aren't checked, so get the certificate from its
  /// publisher over a secure connection.
  ///
  /// - Parameter certificate: X.509 in PEM format.
  /// - Throws: `INVALID_ARGUMENT` if the certificate is invalid, or its key isn't an RSA key with
  ///   2,048 bits or more.
  package convenience init(certificate: String) throws(StatusError) {
    let parsed = certificate.withCString { text -> OpaquePointer? in
      guard let memory = clibcrypto_reader(text) else { return nil }
      defer { BIO_free(memory) }
      // Pass an empty passphrase. Otherwise libcrypto would ask for one on the terminal or stdin.
      var noPassphrase: CChar = 0
      return PEM_read_bio_X509(memory, nil, nil, &noPassphrase)
    }
    guard let parsed else {
      throw StatusError(.invalidArgument, "the certificate is not X.509 in PEM format")
    }
    defer { X509_free(parsed) }
    guard let key = X509_get_pubkey(parsed) else {
      throw StatusError(.invalidArgument, "the certificate has no readable key")
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      EVP_PKEY_free(key)
      throw StatusError(.invalidArgument, "the certificate's key is not an RSA key")
    }
    try self.init(taking: key)
  }

  /// Creates the key of a JSON Web Key (RFC 7518, section 6.3.1).
  ///
  /// - Parameters:
  ///   - modulus: The number `n`, most significant byte first.
  ///   - exponent: The number `e`, most significant byte first.
  /// - Throws: `INVALID_ARGUMENT` if the numbers don't form a key, or if the key has fewer than
  ///   2,048 bits.
  package convenience init(modulus: Data, exponent: Data) throws(StatusError) {
    let (n, e) = ([UInt8](modulus), [UInt8](exponent))
    guard !n.isEmpty, !e.isEmpty, n.count <= Self.maximumBytes, e.count <= n.count,
      let key = clibcrypto_rsa_public(n, n.count, e, e.count)
    else { throw StatusError(.invalidArgument, "n and e don't form an RSA key") }
    try self.init(taking: key)
  }

  /// Returns whether a signature of a message was made with this key.
  package func verifies(_ signature: Data, of message: Data) -> Bool {
    RS256.verifies(signature, of: message, key: key)
  }
}
