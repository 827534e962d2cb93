/// The checksum of log records: CRC-32 with Castagnoli's polynomial.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
    }
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      ~bytes.reduce(~0) { value, byte in
        value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
      }
    }
  }

  /// Returns the masked checksum, which is the form that log files contain.
  ///
  /// A checksum is weak if the data itself contains checksums of the same form. The mask avoids
  /// that.
  static func masked(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let checksum = checksum(bytes)
    return (checksum >> 15 | checksum << 17) &+ 0xA282_EAD8
  }
}
