import Core

/// Where a page ended, as text that only its own list takes back.
///
/// It is a place between documents and not one of them, so it survives any change in between.
struct PageToken {
  let position: IndexPosition

  init(_ position: IndexPosition) { self.position = position }

  /// - Parameters:
  ///   - text: nil and empty: the first page.
  ///   - origin: what is listed, and how.
  /// - Throws: `INVALID_ARGUMENT` for any other text than `text(of:)` makes.
  init?(_ text: String?, of origin: String) throws(StatusError) {
    guard let text, !text.isEmpty else { return nil }
    let invalid = StatusError(.invalidArgument, "invalid page token")
    guard let data = Data(base64Encoded: text), data.count >= 12 else { throw invalid }
    let bytes = Array(data)
    let length = bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 12 + length, Array(bytes[..<8]) == Self.mark(origin, bytes[8...]) else {
      throw invalid
    }
    position = IndexPosition(
      key: KeyBytes(bytes: Array(bytes[12..<(12 + length)])),
      name: KeyBytes(bytes: Array(bytes[(12 + length)...]))
    )
  }

  func text(of origin: String) -> String {
    var content: [UInt8] = []
    withUnsafeBytes(of: UInt32(position.key.count).bigEndian) { content.append(contentsOf: $0) }
    content += position.key.bytes + position.name.bytes
    return Data(Self.mark(origin, content[...]) + content).base64EncodedString()
  }

  /// FNV-1a of what the token is for and what it says: a token from elsewhere doesn't fit.
  private static func mark(_ origin: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(origin.utf8) + content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return withUnsafeBytes(of: hash.bigEndian, Array.init)
  }
}
