import CLibcrypto
import Core

/// The SHA-256 hash.
package enum SHA256 {
  /// Returns the digest in 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    digest(bytes).hexadecimal
  }

  /// Returns the digest's 32 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Cryptography.digest(bytes, size: 32) { clibcrypto_sha256($0, $1, $2) }
  }
}

/// A SHA-256 hash of data that arrives in pieces.
package struct SHA256Stream {
  private var context = SHA256_CTX()

  package init() { SHA256_Init(&context) }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all data so far, in 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    var (context, output) = (context, [UInt8](repeating: 0, count: 32))
    SHA256_Final(&output, &context)
    return output.hexadecimal
  }
}
