import CLibcrypto

/// The SHA-1 hash, for formats that require it. SHA-1 isn't secure.
package enum SHA1 {
  /// Returns the digest's 20 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = ContiguousArray(bytes)
    var output = [UInt8](repeating: 0, count: 20)
    let succeeded = input.withUnsafeBytes {
      clibcrypto_sha1($0.baseAddress, $0.count, &output)
    }
    // libcrypto fails only for a null context, and the shim never passes one.
    precondition(succeeded == 1, "SHA-1 failed")
    return output
  }
}
