/// An escape sequence in a string, such as `\n`.
struct StringEscape {
  /// The UTF-16 code unit that the sequence stands for, or the byte in a `bytes` literal.
  let value: UInt16
  /// The number of the sequence's characters.
  let length: Int
  /// A Boolean value that indicates whether the sequence has the form `\u0041`.
  let isUnicode: Bool

  /// Creates the sequence that begins with a backslash, or `nil` if there is no such sequence.
  init?(in text: SourceText, at offset: Int) {
    guard let name = text[offset + 1] else { return nil }
    let digits: (start: Int, count: Int, radix: Int)
    switch name {
    case "x": digits = (offset + 2, 2, 16)
    case "u": digits = (offset + 2, 4, 16)
    case "0"..."3": digits = (offset + 1, 3, 8)
    default:
      guard let value = Self.characters[name] else { return nil }
      (self.value, length, isUnicode) = (value, 2, false)
      return
    }
    var value: UInt16 = 0
    for index in 0..<digits.count {
      guard let scalar = text[digits.start + index], scalar.isHexDigit,
        let digit = UInt16(String(scalar), radix: digits.radix)
      else { return nil }
      value = value * UInt16(digits.radix) + digit
    }
    (self.value, length) = (value, digits.start + digits.count - offset)
    isUnicode = name == "u"
  }

  private static let characters: [Unicode.Scalar: UInt16] = [
    "b": 8, "t": 9, "n": 10, "f": 12, "r": 13, "\"": 34, "'": 39, "\\": 92,
  ]
}
