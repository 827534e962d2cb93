/// What of a text is the same in every language: code, addresses, mentions, tags, numbers, emoji.
///
/// Where a span ends is a matter of opinion: a mark at the end of a sentence isn't a link's. What
/// only looks like one, such as a sentence that begins without a space (`ok.it works`), is taken
/// for one and stays as it is.
enum ProtectedSpans {
  enum Kind: Hashable, Sendable {
    case code, mention, tag, number, emoji
    /// What can be opened or written to.
    case address
    /// What could be the name of a host, but also two sentences without a space.
    case hostName
    /// What somebody wrote that looks like a placeholder of ours.
    case placeholder
  }

  struct Span: Hashable, Sendable {
    var range: Range<Int>
    var kind: Kind
  }

  /// The spans in their order, none inside another.
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

  /// - Parameter last: where the last span ended.
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

  /// Code in back quotes ends with as many as it begins with: of three or more anywhere, of fewer
  /// on the same line. Back quotes that nothing ends stand for themselves.
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
  /// A letter, a digit or an underscore.
  var isOfWord: Bool { isLetter || isNumber || self == "_" }

  /// Whether this is of a script that writes words without spaces between them.
  var isUnspaced: Bool { unicodeScalars.first?.isOfUnspacedScript ?? false }

  /// A decimal digit of any script.
  var isDigit: Bool { unicodeScalars.first?.properties.numericType == .decimal }

  /// An emoji, with all that belongs to it. Below U+2190 digits and © are emoji too, but only if
  /// a selector says so.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation || first.value >= 0x2190
      || unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
  }
}
