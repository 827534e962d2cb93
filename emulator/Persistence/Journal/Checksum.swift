import CZlib
import Core

/// A CRC-32 over several parts. Data in a file is trusted only if its checksum is right.
struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func add(_ data: Data) {
    data.withUnsafeBytes { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self)
      value = UInt32(crc32(uLong(value), bytes.baseAddress, uInt(bytes.count)))
    }
  }

  /// Adds the eight bytes of a number.
  mutating func add(_ number: Int64) {
    add(withUnsafeBytes(of: number.littleEndian) { Data($0) })
  }
}
