/// Big-endian words, which the headers of SQLite's files contain.
extension [UInt8] {
  func bigEndianWord(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
