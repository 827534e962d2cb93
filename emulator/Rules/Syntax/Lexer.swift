/// Divides a ruleset's text into tokens.
struct Lexer {
  let text: SourceText
  private(set) var tokens: [Token] = []
  /// The characters that belong to no token.
  private(set) var issues: [Issue] = []
  private var offset = 0
  private var line = 1
  /// The offset of the line's first character.
  private var lineStart = 0
  /// A Boolean value that indicates whether the next token is a service's name.
  private var expectsServiceName = false

  init(_ text: SourceText) { self.text = text }

  /// Reads all tokens. The last one is of kind `end`.
  mutating func run() {
    while skipBlanks() {
      if expectsServiceName { readServiceName() } else { readToken() }
    }
    tokens.append(
      Token(
        kind: .end,
        range: SourceRange(
          line: line,
          column: offset - lineStart + 1,
          start: offset,
          end: offset - 1
        )
      )
    )
  }

  /// Skips white space and comments. Returns whether there is more text.
  private mutating func skipBlanks() -> Bool {
    while let scalar = text[offset] {
      if scalar == "\n" {
        newLine()
      } else if scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\u{c}" {
        offset += 1
      } else if expectsServiceName || scalar != "/" || !skipComment() {
        return true
      }
    }
    return false
  }

  private mutating func newLine() {
    offset += 1
    line += 1
    lineStart = offset
  }

  /// Skips a comment. Returns `false` if the slash doesn't begin one, or if it has no end.
  private mutating func skipComment() -> Bool {
    if text[offset + 1] == "/" {
      while let scalar = text[offset], scalar != "\n" { offset += 1 }
      return true
    }
    guard text[offset + 1] == "*", hasCommentEnd(from: offset + 2) else { return false }
    offset += 2
    while text[offset] != "*" || text[offset + 1] != "/" {
      if text[offset] == "\n" { newLine() } else { offset += 1 }
    }
    offset += 2
    return true
  }

  /// The offset of the last `*/`, so that a text with many open comments is read once.
  private lazy var lastCommentEnd: Int = {
    var index = text.scalars.count - 2
    while index >= 0, text.scalars[index] != "*" || text.scalars[index + 1] != "/" { index -= 1 }
    return index
  }()

  private mutating func hasCommentEnd(from start: Int) -> Bool { lastCommentEnd >= start }

  private mutating func readServiceName() {
    let length = length(from: offset) { $0.isServiceNamePart }
    guard length > 0 else { return refuse(1) }
    add(.serviceName, length)
    expectsServiceName = false
  }

  private mutating func readToken() {
    guard let first = text[offset] else { return }
    if first.isIdentifierStart {
      readIdentifier(first)
    } else if let length = numberLength() {
      add(length.isFloat ? .float : .integer, length.count)
    } else if first == "'" || first == "\"" {
      let string = stringLength(from: offset)
      add(string.isClosed ? .string : .openQuote, string.count)
    } else if first == "/", let length = pathSegmentLength() {
      add(.pathSegment, length)
    } else if let symbol = symbol(first) {
      add(.symbol(symbol), symbol.rawValue.utf8.count)
    } else {
      // The character behind a single `&` or `|` belongs to the same error, at its own place.
      let isPair = first == "&" || first == "|"
      refuse(isPair && text[offset + 1] != nil ? 2 : 1)
    }
  }

  private mutating func readIdentifier(_ first: Unicode.Scalar) {
    if first == "b" || first == "B", text[offset + 1] == "'" || text[offset + 1] == "\"" {
      let string = stringLength(from: offset + 1)
      if string.isClosed { return add(.bytes, string.count + 1) }
    }
    let length = length(from: offset) { $0.isIdentifierPart }
    if length == 1, first == "$" { return add(.symbol(.dollar), 1) }
    let name = text[range(length)]
    guard let keyword = Token.Keyword(rawValue: name) else { return add(.identifier, length) }
    add(.keyword(keyword), length)
    expectsServiceName = keyword == .service
  }

  private func numberLength() -> (count: Int, isFloat: Bool)? {
    guard let first = text[offset] else { return nil }
    let whole = first == "0" ? 1 : length(from: offset) { $0.isDigit }
    guard text[offset + whole] == "." else { return whole > 0 ? (whole, false) : nil }
    let fraction = length(from: offset + whole + 1) { $0.isDigit }
    return whole + fraction > 0 ? (whole + 1 + fraction, true) : nil
  }

  /// The length of a string with its quotes. If it doesn't end in its line, the length up to the
  /// first character that can't be in a string.
  private func stringLength(from start: Int) -> (count: Int, isClosed: Bool) {
    let quote = text[start]
    var index = start + 1
    while let scalar = text[index], !scalar.isBarredFromStrings {
      if scalar == quote { return (index + 1 - start, true) }
      guard scalar == "\\" else {
        index += 1
        continue
      }
      guard let escape = StringEscape(in: text, at: index) else { break }
      index += escape.length
    }
    return (index - start, false)
  }

  private func pathSegmentLength() -> Int? {
    let isEnclosed = text[offset + 1] == "("
    let start = offset + (isEnclosed ? 2 : 1)
    var index = start
    while let scalar = text[index] {
      if scalar.isPathPart {
        index += 1
      } else if scalar == "%", text[index + 1]?.isHexDigit == true,
        text[index + 2]?.isHexDigit == true
      {
        index += 3
      } else {
        break
      }
    }
    guard index > start else { return nil }
    guard isEnclosed else { return index - offset }
    return text[index] == ")" ? index + 1 - offset : nil
  }

  private func symbol(_ first: Unicode.Scalar) -> Token.Symbol? {
    if let second = text[offset + 1], second.isASCII,
      let symbol = Token.Symbol(rawValue: String(first) + String(second))
    {
      return symbol
    }
    return Token.Symbol(rawValue: String(first))
  }

  private func length(
    from start: Int,
    while isPart: (Unicode.Scalar) -> Bool
  ) -> Int {
    var index = start
    while let scalar = text[index], isPart(scalar) { index += 1 }
    return index - start
  }

  private func range(_ length: Int) -> SourceRange {
    SourceRange(
      line: line,
      column: offset - lineStart + 1,
      start: offset,
      end: offset + length - 1
    )
  }

  private mutating func add(_ kind: Token.Kind, _ length: Int) {
    tokens.append(Token(kind: kind, range: range(length)))
    offset += length
  }

  private mutating func refuse(_ length: Int) {
    var range = range(length)
    let description = "token recognition error at: '\(text[range])'"
    range.start = range.end
    range.column += length - 1
    issues.append(Issue(.error, description, at: range))
    for _ in 0..<length { if text[offset] == "\n" { newLine() } else { offset += 1 } }
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { "0" <= self && self <= "9" }
  var isHexDigit: Bool { isDigit || "a" <= self && self <= "f" || "A" <= self && self <= "F" }

  /// A Boolean value that indicates whether the character can't be in a string as it is.
  fileprivate var isBarredFromStrings: Bool {
    self == "\n" || self == "\r" || self == "\u{8}" || self == "\u{c}"
  }

  fileprivate var isLetter: Bool { "a" <= self && self <= "z" || "A" <= self && self <= "Z" }
  fileprivate var isIdentifierStart: Bool { isLetter || self == "_" || self == "$" }
  fileprivate var isIdentifierPart: Bool { isIdentifierStart || isDigit }
  fileprivate var isServiceNamePart: Bool { isLetter || isDigit || self == "." || self == "-" }

  fileprivate var isPathPart: Bool {
    switch self {
    case "&", "'", "*", "+", "-", ".", ":", "@", "_", "~": true
    default: isLetter || isDigit
    }
  }
}
