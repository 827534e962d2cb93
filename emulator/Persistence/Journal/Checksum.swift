import CZlib
import Core

/// A CRC-32 over several parts. Stored data is used only if its checksum is correct.
struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func add(_ data: Data) {
    data.withUnsafeBytes { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self)
      value = UInt32(crc32(uLong(value), bytes.baseAddress, uInt(bytes.count)))
    }
  }

  /// Adds a number as eight bytes, in little-endian order.
  mutating func add(_ number: Int64) {
    add(withUnsafeBytes(of: number.littleEndian) { Data($0) })
  }
}
