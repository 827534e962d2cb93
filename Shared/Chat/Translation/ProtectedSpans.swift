/// The parts of a text that are the same in every language: code, addresses, mentions, tags,
/// numbers, emoji.
///
/// The end of a span is a heuristic: a sentence's final mark isn't part of a link. Text that only
/// looks like a span, such as a sentence without a space before it (`ok.it works`), is protected
/// too.
enum ProtectedSpans {
  enum Kind: Hashable, Sendable {
    case code, mention, tag, number, emoji
    /// A link or an email address.
    case address
    /// A possible host name, or two sentences without a space between them.
    case hostName
    /// Users' text that looks like a `Placeholder`.
    case placeholder
  }

  struct Span: Hashable, Sendable {
    var range: Range<Int>
    var kind: Kind
  }

  /// Returns the spans of a text in order. They don't overlap.
  static func found(in text: [Character]) -> [Span] {
    var spans: [Span] = []
    var index = 0
    while index < text.count {
      if let (kind, end) = span(in: text, at: index, behind: spans.last?.range.upperBound ?? 0) {
        spans.append(Span(range: index..<end, kind: kind))
        index = end
      } else {
        index += 1
      }
    }
    return spans
  }

  /// Returns the kind and the end of the span that begins at an index, or `nil` if none does.
  ///
  /// - Parameter last: the end of the previous span.
  private static func span(
    in text: [Character],
    at start: Int,
    behind last: Int
  ) -> (Kind, end: Int)? {
    let character = text[start]
    if character.isEmoji { return (.emoji, start + 1) }
    if character == "`" { return (.code, codeEnd(in: text, from: start)) }
    if let placeholder = Placeholder(in: text, at: start) {
      return (.placeholder, placeholder.range.upperBound)
    }
    if start == last || !text[start - 1].isOfWord || text[start - 1].isUnspaced {
      if let address = address(in: text, at: start) { return address }
      if let end = mentionEnd(in: text, at: start) { return (.mention, end) }
      if let end = tagEnd(in: text, at: start) { return (.tag, end) }
    }
    return numberEnd(in: text, at: start).map { (.number, $0) }
  }

  /// Returns the end of code in backquotes, or of the backquotes alone if nothing closes them.
  ///
  /// There are as many closing backquotes as opening ones. Three or more can be closed on any line,
  /// and fewer only on the same line.
  private static func codeEnd(in text: [Character], from start: Int) -> Int {
    let opening = text[start...].prefix { $0 == "`" }
    var index = opening.endIndex
    while index < text.count {
      if opening.count < 3, text[index].isNewline { break }
      guard text[index] == "`" else {
        index += 1
        continue
      }
      let closing = text[index...].prefix { $0 == "`" }
      if closing.count == opening.count { return closing.endIndex }
      index = closing.endIndex
    }
    return opening.endIndex
  }

  private static func mentionEnd(in text: [Character], at start: Int) -> Int? {
    guard text[start] == "@" || text[start] == "＠" else { return nil }
    let name = text[(start + 1)...].prefix { $0.isOfWord || $0 == "." || $0 == "-" }
    let end = name.lastIndex(where: \.isOfWord).map { $0 + 1 }
    return end
  }

  private static func tagEnd(in text: [Character], at start: Int) -> Int? {
    guard text[start] == "#" || text[start] == "＃" else { return nil }
    let name = text[(start + 1)...].prefix(while: \.isOfWord)
    return name.contains(where: \.isLetter) ? name.endIndex : nil
  }
}

extension Character {
  /// A Boolean value that indicates whether this is a letter, a digit or an underscore.
  var isOfWord: Bool { isLetter || isNumber || self == "_" }

  /// A Boolean value that indicates whether the character's script writes words without spaces.
  var isUnspaced: Bool { unicodeScalars.first?.isOfUnspacedScript ?? false }

  /// A Boolean value that indicates whether this is a decimal digit of any script.
  var isDigit: Bool { unicodeScalars.first?.properties.numericType == .decimal }

  /// A Boolean value that indicates whether this is an emoji, with its modifiers.
  ///
  /// Digits and other characters below U+2190, such as ©, are emoji only with a variation selector
  /// or a keycap.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation || first.value >= 0x2190
      || unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
  }
}
