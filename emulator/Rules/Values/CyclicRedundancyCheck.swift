import Core

/// A checksum of 32 bits.
struct CyclicRedundancyCheck: Sendable {
  /// CRC-32, as in gzip.
  static let ieee = CyclicRedundancyCheck(polynomial: 0xEDB8_8320)
  /// CRC-32C.
  static let castagnoli = CyclicRedundancyCheck(polynomial: 0x82F6_3B78)

  private let table: [UInt32]

  private init(polynomial: UInt32) {
    table = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
      }
    }
  }

  /// Returns the checksum, the lowest byte first, as the rules language does.
  func digest(_ bytes: Data) -> [UInt8] {
    let checksum = ~bytes.reduce(~0 as UInt32) { value, byte in
      value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
    return withUnsafeBytes(of: checksum.littleEndian) { Array($0) }
  }
}
