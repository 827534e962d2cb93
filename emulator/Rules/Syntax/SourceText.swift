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
      case ("/", nil): offset = self.endOfComment(at: offset) ?? offset
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
      if let end = endOfComment(at: closed.end + 1) {
        closed.end = end
        continue
      }
      if scalar == ")" || scalar == "]" || scalar == "}" {
        open -= 1
      } else if !scalar.properties.isWhitespace {
        break
      }
      closed.end += 1
    }
    return closed
  }

  /// Returns the offset of a comment's last character, or `nil` if there is no comment at an offset.
  private func endOfComment(at start: Int) -> Int? {
    guard self[start] == "/", self[start + 1] == "/" || self[start + 1] == "*" else { return nil }
    let isLine = self[start + 1] == "/"
    var end = start + (isLine ? 1 : 3)
    while let next = self[end + 1], isLine ? next != "\n" : self[end] != "/" || self[end - 1] != "*"
    {
      end += 1
    }
    return end
  }

  /// Returns a part of the text without its comments.
  func withoutComments(_ range: SourceRange) -> String {
    var text = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var offset = range.start
    while offset <= range.end, let scalar = self[offset] {
      if quote == nil, let end = endOfComment(at: offset) {
        offset = end + 1
        continue
      }
      text.append(scalar)
      if scalar == "\\", quote != nil, offset < range.end, let next = self[offset + 1] {
        text.append(next)
        offset += 1
      } else if let mark = quote {
        if scalar == mark { quote = nil }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
      }
      offset += 1
    }
    return String(text)
  }

  subscript(range: SourceRange) -> String {
    guard range.start <= range.end, range.end < scalars.count else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range.start...range.end])
    return String(text)
  }
}
