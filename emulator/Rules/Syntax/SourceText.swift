/// A ruleset's text by its Unicode scalars, in which positions count.
struct SourceText {
  let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  subscript(offset: Int) -> Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  /// Returns an expression's range with its closing brackets, and with `()` after a name.
  func closed(_ range: SourceRange) -> SourceRange {
    var open = 0
    var quote: Unicode.Scalar?
    var offset = range.start
    while offset <= range.end, let scalar = self[offset] {
      switch (scalar, quote) {
      case ("\\", .some): offset += 1
      case (_, let mark?): if scalar == mark { quote = nil }
      case ("'", nil), ("\"", nil): quote = scalar
      case ("(", nil), ("[", nil), ("{", nil): open += 1
      case (")", nil), ("]", nil), ("}", nil): open -= 1
      default: break
      }
      offset += 1
    }
    var closed = range
    if open == 0, self[range.end + 1] == "(", self[range.end + 2] == ")" { closed.end += 2 }
    while open > 0, let scalar = self[closed.end + 1] {
      if scalar == ")" || scalar == "]" || scalar == "}" {
        open -= 1
      } else if !scalar.properties.isWhitespace {
        break
      }
      closed.end += 1
    }
    return closed
  }

  subscript(range: SourceRange) -> String {
    guard range.start <= range.end, range.end < scalars.count else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range.start...range.end])
    return String(text)
  }
}
