import CZlib
import Core

/// CRC-32 over one part after another: what stands in a file is believed only with it.
struct Checksum {
  private(set) var value: UInt32 = 0

  mutating func add(_ data: Data) {
    data.withUnsafeBytes { buffer in
      let bytes = buffer.bindMemory(to: UInt8.self)
      value = UInt32(crc32(uLong(value), bytes.baseAddress, uInt(bytes.count)))
    }
  }

  /// The number, and where a part ends, count too.
  mutating func add(_ number: Int64) {
    add(withUnsafeBytes(of: number.littleEndian) { Data($0) })
  }
}
