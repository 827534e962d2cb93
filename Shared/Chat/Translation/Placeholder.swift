/// The placeholder, such as `[X0X]`, of a span that must stay unchanged in the translation.
///
/// Translation platforms have sent this form to many engines for years. Engines tend to leave a
/// bracketed non-word where it is. Some engines change its case or its brackets, or insert spaces.
/// The parser accepts these forms, too.
struct Placeholder: Hashable {
  var number: Int
  /// The placeholder's range in the text.
  var range: Range<Int>

  static func text(_ number: Int) -> String { "[X\(number)X]" }

  /// Creates a placeholder from the text at an index, or `nil` if none begins there.
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
  /// The letter X in three alphabets, and in full width.
  private static let letters = Set("XxХхΧχＸｘ")
}
