import JSONCoding
import RPCStatus

/// Reads JSON from front to back without a tree in between: an import has millions of values, and
/// JSONDecoder takes ten times as long.
struct JSONScanner {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// - Throws: `INVALID_ARGUMENT`, the end of a sentence, as everything here.
  init(_ bytes: ArraySlice<UInt8>) throws(StatusError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .scan("is not valid UTF-8")
    }
    self.bytes = bytes
    position = bytes.startIndex
    guard next() != nil else { throw .scan("is empty") }
  }

  /// Passes each member's name on; `body` reads the value.
  mutating func object(
    _ body: (inout JSONScanner, String) throws(StatusError) -> Void
  ) throws(StatusError) {
    try take("{", else: "an object")
    if takes("}") { return }
    repeat {
      let name = try string()
      try take(":")
      try body(&self, name)
    } while takes(",")
    try take("}")
  }

  /// `body` reads an element each time.
  mutating func array(
    _ body: (inout JSONScanner) throws(StatusError) -> Void
  ) throws(StatusError) {
    try take("[", else: "an array")
    if takes("]") { return }
    repeat { try body(&self) } while takes(",")
    try take("]")
  }

  mutating func string() throws(StatusError) -> String {
    try take("\"", else: "a string")
    let start = position
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw broken
      default: position += 1
      }
    }
    throw broken
  }

  mutating func boolean() throws(StatusError) -> Bool {
    switch next() {
    case UInt8(ascii: "t"): try take(word: "true")
    case UInt8(ascii: "f"):
      try take(word: "false")
      return false
    default: throw .scan("has something else where true or false belongs")
    }
    return true
  }

  mutating func null() throws(StatusError) {
    guard next() == UInt8(ascii: "n") else {
      throw .scan("has something else where null belongs")
    }
    try take(word: "null")
  }

  /// Whether a string comes next.
  mutating func isAtString() -> Bool { next() == UInt8(ascii: "\"") }

  /// The text of a number.
  mutating func number() throws(StatusError) -> String {
    _ = next()
    let digits = bytes[position...].prefix { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard !digits.isEmpty else { throw .scan("has something else where a number belongs") }
    position = digits.endIndex
    return String(decoding: digits, as: UTF8.self)
  }

  mutating func end() throws(StatusError) {
    guard next() == nil else { throw broken }
  }

  // MARK: Parts

  private var broken: StatusError { .scan("is not valid JSON") }

  /// The next byte that isn't white space, where reading goes on.
  private mutating func next() -> UInt8? {
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func take(
    _ character: Unicode.Scalar,
    else what: String? = nil
  ) throws(StatusError) {
    guard !takes(character) else { return }
    guard let what, next() != nil else { throw broken }
    throw .scan("has something else where \(what) belongs")
  }

  private mutating func take(word: StaticString) throws(StatusError) {
    let end = position + word.utf8CodeUnitCount
    let isThere = word.withUTF8Buffer {
      end <= bytes.endIndex && bytes[position..<end].elementsEqual($0)
    }
    guard isThere else { throw broken }
    position = end
  }

  private mutating func escapedString(from start: Int) throws(StatusError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try text += escape()
      case 0..<0x20: throw broken
      default: text.append(byte)
      }
    }
    throw broken
  }

  /// What follows a backslash.
  private mutating func escape() throws(StatusError) -> [UInt8] {
    guard position < bytes.endIndex else { throw broken }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]) {
        try take(word: "\\u")
        units.append(try codeUnit())
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw broken }
      return Array(text.utf8)
    default: throw broken
    }
  }

  /// Four hexadecimal digits.
  private mutating func codeUnit() throws(StatusError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard position < bytes.endIndex,
        let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
      else { throw broken }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}

extension StatusError {
  /// The end of a sentence that begins with what was read.
  static func scan(_ problem: String) -> StatusError { StatusError(.invalidArgument, problem) }
}
