import CLibcrypto

/// MD5 by libcrypto, for formats that are made with it: it protects nothing.
package enum MD5 {
  /// The digest's 16 bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = ContiguousArray(bytes)
    var output = [UInt8](repeating: 0, count: 16)
    let succeeded = input.withUnsafeBytes {
      clibcrypto_md5($0.baseAddress, $0.count, &output)
    }
    // It fails only for a null context, which the shim's isn't.
    precondition(succeeded == 1, "MD5 failed")
    return output
  }
}
