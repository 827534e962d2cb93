/// A token of a rule's expression.
struct DatabaseRuleToken {
  enum Kind: Equatable {
    case name(String)
    case number(Double)
    case string(String)
    /// A regular expression between slashes, and its flags.
    case pattern(String, flags: String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// The index of the first character in the expression.
  var start: Int
}

/// An error in an expression, at the index of a character.
struct DatabaseRuleError: Error {
  var index: Int
  var description: String
}

extension DatabaseRuleToken {
  private static let symbols = [
    "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!", "?",
    ":", ".", ",", "(", ")", "[", "]",
  ]

  /// Divides an expression into tokens. The last one is of kind `end`.
  static func tokens(of text: [Unicode.Scalar]) throws(DatabaseRuleError) -> [DatabaseRuleToken] {
    var tokens: [DatabaseRuleToken] = []
    var index = 0
    while index < text.count {
      let scalar = text[index]
      if scalar.properties.isWhitespace {
        index += 1
        continue
      }
      let start = index
      let kind: Kind
      if scalar.isNameStart {
        while index < text.count, text[index].isNameStart || text[index].isDigit { index += 1 }
        kind = .name(String(text[start..<index]))
      } else if scalar.isDigit || scalar == "." && index + 1 < text.count && text[index + 1].isDigit
      {
        kind = try number(text, &index)
      } else if scalar == "'" || scalar == "\"" {
        kind = .string(try string(text, &index))
      } else if scalar == "/", tokens.last?.endsOperand != true {
        kind = try pattern(text, &index)
      } else if let symbol = symbols.first(where: { text[index...].starts(with: $0.unicodeScalars) }
      ) {
        index += symbol.unicodeScalars.count
        kind = .symbol(symbol)
      } else {
        throw DatabaseRuleError(
          index: index,
          description: "The character '\(scalar)' is not valid here."
        )
      }
      tokens.append(DatabaseRuleToken(kind: kind, start: start))
    }
    tokens.append(DatabaseRuleToken(kind: .end, start: text.count))
    return tokens
  }

  /// A Boolean value that indicates whether a slash after the token is a division.
  private var endsOperand: Bool {
    switch kind {
    case .name, .number, .string, .pattern, .symbol(")"), .symbol("]"): true
    case .symbol, .end: false
    }
  }

  private static func number(
    _ text: [Unicode.Scalar],
    _ index: inout Int
  ) throws(DatabaseRuleError) -> Kind {
    let start = index
    func digits() { while index < text.count, text[index].isDigit { index += 1 } }
    digits()
    if index < text.count, text[index] == "." {
      index += 1
      digits()
    }
    if index + 1 < text.count, text[index] == "e" || text[index] == "E" {
      let sign = text[index + 1] == "-" || text[index + 1] == "+" ? 1 : 0
      if index + 1 + sign < text.count, text[index + 1 + sign].isDigit {
        index += 1 + sign
        digits()
      }
    }
    guard let number = Double(String(text[start..<index])), number.isFinite else {
      throw DatabaseRuleError(index: start, description: "The number is not valid.")
    }
    return .number(number)
  }

  private static func string(
    _ text: [Unicode.Scalar],
    _ index: inout Int
  ) throws(DatabaseRuleError) -> String {
    let start = index
    let quote = text[index]
    var result: [Unicode.Scalar] = []
    index += 1
    while index < text.count, text[index] != quote {
      if text[index] == "\\", index + 1 < text.count {
        index += 1
        switch text[index] {
        case "n": result.append("\n")
        case "r": result.append("\r")
        case "t": result.append("\t")
        case "b": result.append("\u{8}")
        case "f": result.append("\u{c}")
        default: result.append(text[index])
        }
      } else {
        result.append(text[index])
      }
      index += 1
    }
    guard index < text.count else {
      throw DatabaseRuleError(index: start, description: "The text has no closing quote.")
    }
    index += 1
    return String(result[...])
  }

  private static func pattern(
    _ text: [Unicode.Scalar],
    _ index: inout Int
  ) throws(DatabaseRuleError) -> Kind {
    let start = index
    var isInClass = false
    index += 1
    while index < text.count, text[index] != "/" || isInClass {
      if text[index] == "[" { isInClass = true }
      if text[index] == "]" { isInClass = false }
      index += text[index] == "\\" ? 2 : 1
    }
    guard index < text.count else {
      throw DatabaseRuleError(
        index: start,
        description: "The regular expression has no closing slash."
      )
    }
    let pattern = String(text[start + 1..<index])
    index += 1
    let flags = index
    while index < text.count, text[index].isNameStart { index += 1 }
    return .pattern(pattern, flags: String(text[flags..<index]))
  }
}

extension String {
  fileprivate init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}

extension Unicode.Scalar {
  fileprivate var isNameStart: Bool {
    "a" <= self && self <= "z" || "A" <= self && self <= "Z" || self == "_" || self == "$"
  }
}
