import CLibcrypto

/// The SHA-1 hash, for formats that require it. SHA-1 isn't secure.
package enum SHA1 {
  /// Returns the digest's 20 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Cryptography.digest(bytes, size: 20) { clibcrypto_sha1($0, $1, $2) }
  }
}
