/// A token of a ruleset's text.
struct Token {
  enum Kind: Hashable {
    case identifier, integer, float, string, bytes
    /// A quote whose string doesn't end in its line.
    case openQuote
    /// A segment of a path with the slash before it, such as `/users`.
    case pathSegment
    /// The name behind `service`.
    case serviceName
    case keyword(Keyword)
    case symbol(Symbol)
    case end
  }

  enum Keyword: String, CaseIterable {
    case allow, `false`, function, `if`, `import`, `in`, `is`, `let`, match, null, `return`
    case rulesVersion = "rules_version"
    case service, `true`
    // Names that mean nothing and can't be used.
    case arguments, `break`, `case`, `continue`, `default`, deny, `do`, each, `else`, extends,
      `for`, goto, not
    case package, `switch`, then, `var`, `while`
  }

  enum Symbol: String, CaseIterable {
    case and = "&&"
    case or = "||"
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case increment = "++"
    case decrement = "--"
    case stars = "**"
    case less = "<"
    case greater = ">"
    case assign = "="
    case exclamation = "!"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case question = "?"
    case colon = ":"
    case dot = "."
    case comma = ","
    case semicolon = ";"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    case dollar = "$"
    case at = "@"
  }

  var kind: Kind
  /// The place of the token. The place of the end is behind the text's last character.
  var range: SourceRange
}
