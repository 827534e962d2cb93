import Core
import Cryptography

/// The CRC-32 of gzip.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  /// Returns the checksum, the lowest byte first, as the rules language does.
  static func digest(_ bytes: Data) -> [UInt8] {
    let checksum = ~bytes.reduce(~0 as UInt32) { value, byte in
      value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
    return withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
  }
}

extension CRC32C {
  /// Returns the checksum, the lowest byte first, as the rules language does.
  static func digest(_ bytes: Data) -> [UInt8] {
    withUnsafeBytes(of: checksum(bytes).littleEndian) { Array($0) }
  }
}
