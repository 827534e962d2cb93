/// Big-endian words, as the headers of SQLite's files have them.
extension [UInt8] {
  func bigEndianWord(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
