/// A JSON value with the places of its parts. It may have comments, and strings over several lines,
/// as the rules of the Realtime Database do.
struct CommentedJSON {
  enum Value {
    case object([Member])
    case list([CommentedJSON])
    case string(Text)
    case boolean(Bool)
    case other
  }

  struct Member {
    var name: String
    var nameOffset: Int
    var value: CommentedJSON
  }

  /// A string's characters, and the offset in the source of each one and of the string's end.
  struct Text {
    var scalars: [Unicode.Scalar] = []
    var offsets: [Int] = []

    var string: String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
  }

  struct Malformed: Error {
    var offset: Int
    var description: String
  }

  var value: Value
  /// The offset of the value's first character.
  var offset: Int

  /// Parses a text.
  static func parse(_ text: SourceText) throws(Malformed) -> CommentedJSON {
    var parser = CommentedJSONParser(text: text)
    let value = try parser.value(depth: 0)
    try parser.skipBlanks()
    guard text[parser.offset] == nil else {
      throw Malformed(offset: parser.offset, description: "There is text after the rules.")
    }
    return value
  }
}

private struct CommentedJSONParser {
  typealias Malformed = CommentedJSON.Malformed
  typealias Text = CommentedJSON.Text

  /// The maximum depth of objects and lists.
  private static let mostLevels = 100

  let text: SourceText
  var offset = 0

  init(text: SourceText) { self.text = text }

  private func malformed(_ description: String, at offset: Int? = nil) -> Malformed {
    Malformed(offset: offset ?? self.offset, description: description)
  }

  mutating func skipBlanks() throws(Malformed) {
    while let scalar = text[offset] {
      switch (scalar, text[offset + 1]) {
      case (" ", _), ("\t", _), ("\n", _), ("\r", _): offset += 1
      case ("/", "/"): while let scalar = text[offset], scalar != "\n" { offset += 1 }
      case ("/", "*"):
        let start = offset
        offset += 2
        while text[offset] != "*" || text[offset + 1] != "/" {
          guard text[offset] != nil else { throw malformed("The comment has no end.", at: start) }
          offset += 1
        }
        offset += 2
      default: return
      }
    }
  }

  mutating func value(depth: Int) throws(Malformed) -> CommentedJSON {
    try skipBlanks()
    guard depth <= Self.mostLevels else { throw malformed("The rules have too many levels.") }
    let start = offset
    switch text[offset] {
    case "{": return CommentedJSON(value: .object(try members(depth: depth)), offset: start)
    case "[":
      var elements: [CommentedJSON] = []
      try list(until: "]") { parser throws(Malformed) in
        elements.append(try parser.value(depth: depth + 1))
      }
      return CommentedJSON(value: .list(elements), offset: start)
    case "\"": return CommentedJSON(value: .string(try string()), offset: start)
    case nil: throw malformed("The rules end too early.")
    default: return CommentedJSON(value: try word(), offset: start)
    }
  }

  private mutating func members(depth: Int) throws(Malformed) -> [CommentedJSON.Member] {
    var members: [CommentedJSON.Member] = []
    var names = Set<[Unicode.Scalar]>()
    try list(until: "}") { parser throws(Malformed) in
      let start = parser.offset
      guard parser.text[start] == "\"" else {
        throw parser.malformed("A name in quotes is missing.")
      }
      let name = try parser.string()
      guard names.insert(name.scalars).inserted else {
        throw parser.malformed("The name \"\(name.string)\" appears twice.", at: start)
      }
      try parser.skipBlanks()
      guard parser.text[parser.offset] == ":" else { throw parser.malformed("A colon is missing.") }
      parser.offset += 1
      let value = try parser.value(depth: depth + 1)
      members.append(.init(name: name.string, nameOffset: start, value: value))
    }
    return members
  }

  /// Reads what is between brackets, with commas between the parts, and possibly after the last.
  private mutating func list(
    until end: Unicode.Scalar,
    _ part: (inout CommentedJSONParser) throws(Malformed) -> Void
  ) throws(Malformed) {
    offset += 1
    while true {
      try skipBlanks()
      if text[offset] == end { break }
      try part(&self)
      try skipBlanks()
      if text[offset] == "," {
        offset += 1
      } else if text[offset] != end {
        throw malformed("A comma or \(end) is missing.")
      }
    }
    offset += 1
  }

  private mutating func word() throws(Malformed) -> CommentedJSON.Value {
    let start = offset
    while let scalar = text[offset], scalar.isWordPart { offset += 1 }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: text.scalars[start..<offset])
    switch String(word) {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .other
    case let word where Double(word) != nil: return .other
    default: throw malformed("A value is missing.", at: start)
    }
  }

  private mutating func string() throws(Malformed) -> Text {
    let start = offset
    var result = Text()
    offset += 1
    while let scalar = text[offset], scalar != "\"" {
      let place = offset
      offset += 1
      result.scalars.append(scalar == "\\" ? try escaped() : scalar)
      result.offsets.append(place)
    }
    guard text[offset] == "\"" else { throw malformed("The string has no end.", at: start) }
    result.offsets.append(offset)
    offset += 1
    return result
  }

  private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
    let start = offset - 1
    defer { offset += 1 }
    switch text[offset] {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let unit = try codeUnit(start)
      guard 0xD800..<0xDC00 ~= unit else {
        guard let scalar = Unicode.Scalar(unit) else { break }
        return scalar
      }
      guard text[offset + 1] == "\\", text[offset + 2] == "u" else { break }
      offset += 2
      let low = try codeUnit(start)
      guard 0xDC00..<0xE000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { break }
      return scalar
    default: break
    }
    throw malformed("The escape sequence is not valid.", at: start)
  }

  /// Reads the four digits after `u`, and moves to the last one.
  private mutating func codeUnit(_ start: Int) throws(Malformed) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      offset += 1
      guard let scalar = text[offset], scalar.isHexDigit,
        let digit = Character(scalar).hexDigitValue
      else { throw malformed("The escape sequence is not valid.", at: start) }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

extension Unicode.Scalar {
  fileprivate var isWordPart: Bool {
    isDigit || "a" <= self && self <= "z" || "A" <= self && self <= "Z" || self == "-"
      || self == "+" || self == "."
  }
}
