import Core

/// A function of libcrypto that computes the digest of some bytes, and returns 1 if it succeeds.
typealias DigestFunction = (
  _ bytes: UnsafeRawPointer?, _ count: Int, _ digest: UnsafeMutablePointer<UInt8>?
) -> CInt

/// Returns a digest.
///
/// - Parameter size: The size of the digest in bytes.
func digest(
  _ bytes: some Sequence<UInt8>,
  size: Int,
  _ function: DigestFunction
) -> [UInt8] {
  let input = ContiguousArray(bytes)
  var output = [UInt8](repeating: 0, count: size)
  let result = input.withUnsafeBytes { function($0.baseAddress, $0.count, &output) }
  // libcrypto fails only for a null context, and the shim never passes one.
  precondition(result == 1, "libcrypto can't compute a digest")
  return output
}

extension [UInt8] {
  /// The bytes in lower-case hexadecimal digits, two for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
