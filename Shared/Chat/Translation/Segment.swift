/// A unit of translation: a sentence or a line, with placeholders for the spans that must stay
/// unchanged.
///
/// A number of up to four digits is sent without a placeholder, because it determines the form of
/// the noun after it, and engines copy such a number. Every span is checked in the response. If a
/// span is missing, the segment's fragments, the words between its spans, are sent instead.
struct Segment: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case words(String)
    case span(String, isPlainNumber: Bool)
  }

  /// The maximum number of code points of a placeholder.
  static let placeholderWeight = Placeholder.text(9_999).unicodeScalars.count

  let pieces: [Piece]

  /// Creates a segment from a range of a text, or `nil` if all letters are in spans.
  ///
  /// - Parameter spans: the spans in the range, which begins and ends with visible characters.
  init?(
    _ text: [Character],
    _ range: Range<Int>,
    _ spans: ArraySlice<ProtectedSpans.Span>
  ) {
    var pieces: [Piece] = []
    var hasWords = false
    var start = range.lowerBound
    /// The range of the adjacent spans so far, which are joined to one span.
    var joined: Range<Int>?
    func endSpan() {
      guard let range = joined else { return }
      let isPlainNumber =
        range.count <= 4 && text[range].allSatisfy { $0.isASCII && $0.isDigit }
      pieces.append(.span(String(text[range]), isPlainNumber: isPlainNumber))
      joined = nil
    }
    for span in spans {
      let between = text[start..<span.range.lowerBound]
      start = span.range.upperBound
      if let first = joined?.lowerBound, Self.isGlue(between) {
        joined = first..<start
        continue
      }
      endSpan()
      if !between.isEmpty { pieces.append(.words(String(between))) }
      hasWords = hasWords || between.contains(where: \.isLetter)
      joined = span.range
    }
    endSpan()
    let rest = text[start..<range.upperBound]
    if !rest.isEmpty { pieces.append(.words(String(rest))) }
    guard hasWords || rest.contains(where: \.isLetter) else { return nil }
    self.pieces = pieces
  }

  /// Returns a Boolean value that indicates whether a text between two spans joins them to one
  /// span, as in `1, 2 & 3`.
  ///
  /// A text with a letter, or with a mark that may end a sentence, doesn't join spans.
  private static func isGlue(_ text: ArraySlice<Character>) -> Bool {
    !text.contains { $0.isLetter || ".!?…。！？؟।॥".contains($0) }
  }
}
