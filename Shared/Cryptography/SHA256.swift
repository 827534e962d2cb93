import CLibcrypto
import Core

/// The SHA-256 hash.
package enum SHA256 {
  /// Returns the digest in 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    hexadecimal(digest: digest(bytes))
  }

  fileprivate static func hexadecimal(digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the digest's 32 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = ContiguousArray(bytes)
    var output = [UInt8](repeating: 0, count: 32)
    let succeeded = input.withUnsafeBytes {
      clibcrypto_sha256($0.baseAddress, $0.count, &output)
    }
    // libcrypto fails only for a null context, and the shim never passes one.
    precondition(succeeded == 1, "SHA-256 failed")
    return output
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
    return SHA256.hexadecimal(digest: output)
  }
}
