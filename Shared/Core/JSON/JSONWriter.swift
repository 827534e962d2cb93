/// A writer of JSON on one line. It sorts fields by their names' bytes, and doesn't escape slashes.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(Self.usualLength) }

  /// The initial capacity in bytes, enough for most values.
  private static let usualLength = 512

  /// Appends a value.
  ///
  /// - Throws: `EncodingError` for a number that isn't finite.
  mutating func write(_ value: JSONValue) throws {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let boolean): bytes.append(contentsOf: (boolean ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .number(let number): try write(number)
    case .string(let string): write(string)
    case .array(let values):
      var separator = UInt8(ascii: "[")
      for value in values {
        bytes.append(separator)
        try write(value)
        separator = UInt8(ascii: ",")
      }
      if values.isEmpty { bytes.append(separator) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      var separator = UInt8(ascii: "{")
      for (name, value) in members.count > 1
        ? members.sorted(by: { $0.key < $1.key }) : Array(members)
      {
        bytes.append(separator)
        write(name.string)
        bytes.append(UInt8(ascii: ":"))
        try write(value)
        separator = UInt8(ascii: ",")
      }
      if members.isEmpty { bytes.append(separator) }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number,
        .init(codingPath: [], debugDescription: "JSON can't represent this number")
      )
    }
    let text = number.description
    // Keep the fraction of -0.0: many parsers read -0 as an integer, which has no sign.
    let isWhole = text.hasSuffix(".0") && text != "-0.0"
    bytes.append(contentsOf: (isWhole ? text.dropLast(2) : text[...]).utf8)
  }

  private mutating func write(_ string: String) {
    var string = string
    bytes.append(UInt8(ascii: "\""))
    string.withUTF8 { content in
      var start = 0
      for (index, byte) in content.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: content[start..<index])
        writeEscape(of: byte)
        start = index + 1
      }
      bytes.append(contentsOf: content[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(of byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: "u00\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
    }
  }
}
