import CLibcrypto
import Core

/// The MD5 hash, for formats that require it. MD5 isn't secure.
package enum MD5 {
  /// Returns the digest's 16 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Cryptography.digest(bytes, size: 16) { clibcrypto_md5($0, $1, $2) }
  }
}

/// An MD5 hash of data that arrives in pieces.
package struct MD5Stream {
  private var context = MD5_CTX()

  package init() { MD5_Init(&context) }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    MD5_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The 16 bytes of the digest of all data so far.
  package var digest: [UInt8] {
    var (context, output) = (context, [UInt8](repeating: 0, count: 16))
    MD5_Final(&output, &context)
    return output
  }
}
