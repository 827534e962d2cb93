import Core
import Cryptography
import TestKit
import Testing

@testable import Persistence

/// The record format of LevelDB's logs, which Google's exports use.
struct LogFormatTests {
  /// The checksums are the test vectors of RFC 3720, section B.4, and others.
  @Test(
    arguments: [
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      ([UInt8](0..<32), 0x46DD_794E),
      (Array("123456789".utf8), 0xE306_9283),
      ([], 0),
    ] as [([UInt8], UInt32)]
  )
  func `checksums are CRC-32C (Castagnoli)`(bytes: [UInt8], checksum: UInt32) {
    #expect(CRC32C.checksum(bytes) == checksum)
  }

  @Test func `a record is encoded as Google's emulator writes it`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try write([Data("3".utf8)], to: "\(folder)/log")
      #expect(
        try read("\(folder)/log") == Data([0xB8, 0x6D, 0x44, 0x4E, 1, 0, 1, UInt8(ascii: "3")])
      )
    }
  }

  /// The first record leaves zero to eight bytes at the end of its block.
  @Test(arguments: 0...8)
  func `records span blocks, however few bytes of a block are left`(left: Int) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let first = LogFormat.blockBytes - LogFormat.headerBytes - left
      let records = [
        Data(repeating: 1, count: first), Data("short".utf8), Data(),
        Data(repeating: 2, count: 3 * LogFormat.blockBytes + 17), Data("end".utf8),
      ]
      try write(records, to: "\(folder)/log")
      let reader = try LogReader(path: "\(folder)/log")
      for record in records { #expect(try reader.next() == record) }
      #expect(try reader.next() == nil)
      #expect(try reader.next() == nil)
    }
  }

  @Test func `unused space at the end of a preallocated file is skipped`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try write([Data("a".utf8)], to: "\(folder)/log")
      let whole = try read("\(folder)/log")
      let block = whole + Data(count: LogFormat.blockBytes - whole.count)
      try PersistenceTests.write(block + whole + Data(count: 100), to: "\(folder)/log")
      let reader = try LogReader(path: "\(folder)/log")
      #expect(try reader.next() == Data("a".utf8))
      #expect(try reader.next() == Data("a".utf8))
      #expect(try reader.next() == nil)
    }
  }

  @Test func `fragments out of order are refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try write([Data(count: 2 * LogFormat.blockBytes)], to: "\(folder)/log")
      let whole = try read("\(folder)/log")
      // The first log lacks its first block, and the second has that block twice.
      for blocks in [
        whole.dropFirst(LogFormat.blockBytes), whole.prefix(LogFormat.blockBytes) + whole,
      ] {
        try PersistenceTests.write(Data(blocks), to: "\(folder)/log")
        let error = #expect(throws: StatusError.self) {
          let reader = try LogReader(path: "\(folder)/log")
          while try reader.next() != nil {}
        }
        #expect(error?.message.contains("fragments aren't in order") == true)
      }
    }
  }

  private func write(_ records: [Data], to path: String) throws {
    let writer = try LogWriter(path: path)
    for record in records { try writer.append(record) }
    try writer.finish()
  }
}
