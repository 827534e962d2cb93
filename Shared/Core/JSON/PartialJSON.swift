/// A reader of JSON whose end hasn't arrived yet.
package enum PartialJSON {
  /// Returns a string field of the outermost object, as far as it has arrived.
  ///
  /// - Returns: The text so far, or `nil` if the field hasn't begun or isn't a string.
  package static func text(of member: String, in json: some Sequence<UInt8>) -> String? {
    var scanner = Scanner(bytes: Array(json)[...])
    guard scanner.take(UInt8(ascii: "{")) else { return nil }
    while let name = scanner.string(), name.isWhole, scanner.take(UInt8(ascii: ":")) {
      if name.text == member { return scanner.string()?.text }
      guard scanner.skipValue(), scanner.take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  private struct Scanner {
    var bytes: ArraySlice<UInt8>

    /// Skips white space, and consumes the next byte if it is the given one; returns whether it
    /// was.
    mutating func take(_ byte: UInt8) -> Bool {
      bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      guard bytes.first == byte else { return false }
      bytes.removeFirst()
      return true
    }

    /// Consumes a string, which may be incomplete.
    mutating func string() -> (text: String, isWhole: Bool)? {
      guard take(UInt8(ascii: "\"")) else { return nil }
      var end = bytes.startIndex
      while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      let isWhole = end < bytes.endIndex
      var content = bytes[..<min(end, bytes.endIndex)]
      bytes = bytes[min(end + 1, bytes.endIndex)...]
      // An incomplete string may end within an escape, a surrogate pair or a character: drop bytes
      // until the rest is valid.
      for _ in 0...12 {
        let quoted = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
        if let text = try? JSON.decode(String.self, from: Data(quoted), what: "the text") {
          return (text, isWhole)
        }
        guard !isWhole, content.popLast() != nil else { return nil }
      }
      return nil
    }

    /// Skips a value.
    ///
    /// - Returns: `false` if the value is incomplete.
    mutating func skipValue() -> Bool {
      var depth = 0
      while true {
        bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let byte = bytes.first else { return false }
        switch byte {
        case UInt8(ascii: "\""):
          guard let text = string(), text.isWhole else { return false }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          bytes.removeFirst()
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          guard depth > 0 else { return true }
          depth -= 1
          bytes.removeFirst()
        case UInt8(ascii: ",") where depth == 0: return true
        default: bytes.removeFirst()
        }
      }
    }
  }
}
