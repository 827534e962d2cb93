import CLibcrypto

/// The MD5 hash, for formats that require it. MD5 isn't secure.
package enum MD5 {
  /// Returns the digest's 16 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Cryptography.digest(bytes, size: 16) { clibcrypto_md5($0, $1, $2) }
  }
}
