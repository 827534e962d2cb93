import Core

extension Parser {
  /// Parses a number, a string, bytes, `true`, `false` or `null`.
  mutating func literal() throws(Failure) -> RulesValue {
    switch token.kind {
    case .integer: return .integer(integer(next()))
    case .float: return .float(float(next()))
    case .string: return .string(string(next()))
    case .bytes: return .bytes(bytes(next()))
    case .keyword(.true): next(); return .boolean(true)
    case .keyword(.false): next(); return .boolean(false)
    case .keyword(.null): next(); return .null
    default: throw unexpected()
    }
  }

  private mutating func integer(_ token: Token) -> Int64 {
    let digits = text[token.range]
    if let value = Int64(digits) { return value }
    issues.append(Issue(.error, "Invalid number literal \(digits).", at: token.range))
    return 0
  }

  private func float(_ token: Token) -> Double {
    let digits = text[token.range]
    let isOpen = digits.utf8.last == UInt8(ascii: ".")
    return Double("0" + digits + (isOpen ? "0" : "")) ?? .infinity
  }

  /// The value of a string's token. A surrogate without its partner becomes U+FFFD.
  func string(_ token: Token) -> String {
    var units: [UInt16] = []
    var offset = token.range.start + 1
    while offset < token.range.end, let scalar = text[offset] {
      if let escape = scalar == "\\" ? StringEscape(in: text, at: offset) : nil {
        units.append(escape.value)
        offset += escape.length
      } else {
        units.append(contentsOf: Character(scalar).utf16)
        offset += 1
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private mutating func bytes(_ token: Token) -> Data {
    var bytes = Data()
    var offset = token.range.start + 2
    var isValid = true
    while offset < token.range.end, let scalar = text[offset] {
      if let escape = scalar == "\\" ? StringEscape(in: text, at: offset) : nil {
        isValid = isValid && !escape.isUnicode
        bytes.append(UInt8(truncatingIfNeeded: escape.value))
        offset += escape.length
      } else {
        bytes.append(contentsOf: Character(scalar).utf8)
        offset += 1
      }
    }
    if !isValid {
      let literal = text[token.range]
      issues.append(Issue(.error, "Invalid bytes literal \(literal).", at: token.range))
    }
    return bytes
  }
}
