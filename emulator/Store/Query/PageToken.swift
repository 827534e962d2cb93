import Core

/// The token of a list's next page: the position at which the previous page ended.
///
/// A token is accepted only for the same list in the same order.
///
/// The position is between documents, so any document may change or be deleted before the next page
/// is read.
struct PageToken {
  let position: IndexPosition

  init(_ position: IndexPosition) { self.position = position }

  /// Creates a token from its text, or returns `nil` for the first page.
  ///
  /// - Parameters:
  ///   - text: The token's text; `nil` or empty for the first page.
  ///   - origin: Text that identifies the list and its order.
  /// - Throws: `INVALID_ARGUMENT` for text that `text(of:)` didn't return for the same list.
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

  /// Returns the FNV-1a hash of the list and the token's content. It detects changed tokens and
  /// tokens of other lists.
  private static func mark(_ origin: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(origin.utf8) + content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return withUnsafeBytes(of: hash.bigEndian, Array.init)
  }
}
