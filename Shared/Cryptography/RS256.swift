import CLibcrypto
import Core

/// RSASSA-PKCS1-v1_5 over SHA-256, which JWT calls RS256 (RFC 7518, section 3.3).
enum RS256 {
  /// Returns whether a signature of a message was made with a key.
  ///
  /// - Parameter key: An EVP_PKEY with an RSA key, public or private.
  static func verifies(_ signature: Data, of message: Data, key: OpaquePointer) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return message.withUnsafeBytes { bytes in
      signature.withUnsafeBytes { signatureBytes in
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
          && EVP_DigestVerify(
            context,
            signatureBytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            signatureBytes.count,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count
          ) == 1
      }
    }
  }
}
