import CCRC32C
import Core

/// A CRC-32C: a cyclic redundancy check with Castagnoli's polynomial, of data that may arrive in
/// pieces.
package struct CRC32C: Sendable {
  /// The checksum of all data so far.
  package private(set) var checksum: UInt32 = 0

  package init() {}

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    checksum = ccrc32c_extend(checksum, bytes.baseAddress, bytes.count)
  }

  /// The checksum's four bytes, the highest first.
  package var bytes: [UInt8] { withUnsafeBytes(of: checksum.bigEndian) { Array($0) } }

  /// Returns the checksum of some bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var stream = CRC32C()
    ContiguousArray(bytes).withUnsafeBytes { stream.append($0) }
    return stream.checksum
  }
}
