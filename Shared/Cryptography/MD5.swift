import CLibcrypto

/// The MD5 hash, for formats that require it. MD5 isn't secure.
package enum MD5 {
  /// Returns the digest's 16 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = ContiguousArray(bytes)
    var output = [UInt8](repeating: 0, count: 16)
    let succeeded = input.withUnsafeBytes {
      clibcrypto_md5($0.baseAddress, $0.count, &output)
    }
    // libcrypto fails only for a null context, and the shim never passes one.
    precondition(succeeded == 1, "MD5 failed")
    return output
  }
}
