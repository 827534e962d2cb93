/// What stands in a sentence for something that must come back as it is: `[X0X]`.
///
/// Translation platforms have sent this form to many engines for years: a bracketed word that is
/// none comes back where it belongs, if anything does. Some change its case, its brackets or put
/// spaces into it; it is known again all the same.
struct Placeholder: Hashable {
  var number: Int
  /// Where it stands.
  var range: Range<Int>

  static func text(_ number: Int) -> String { "[X\(number)X]" }

  /// Reads one that begins at this place; nil if there is none.
  init?(in text: [Character], at start: Int) {
    guard Self.opening.contains(text[start]) else { return nil }
    var rest = text[(start + 1)...]
    func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\u{A0}" } }
    func skip(_ set: Set<Character>) -> Bool {
      guard let first = rest.first, set.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    skipSpaces()
    guard skip(Self.letters) else { return nil }
    skipSpaces()
    let digits = rest.prefix(4).prefix(while: \.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    skipSpaces()
    guard skip(Self.letters) else { return nil }
    skipSpaces()
    guard skip(Self.closing) else { return nil }
    number = digits.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }
    range = start..<rest.startIndex
  }

  private static let opening = Set("[［【")
  private static let closing = Set("]］】")
  /// Those of three alphabets, and full-width ones.
  private static let letters = Set("XxХхΧχＸｘ")
}
