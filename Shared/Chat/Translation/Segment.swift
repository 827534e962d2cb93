/// What is translated at once: a sentence or a line of them, with placeholders where something must
/// come back as it is.
///
/// A number of up to four digits goes out as it is: languages have another noun behind a 2 than
/// behind a 5, and engines copy it. Whatever goes out, it is looked for in the answer. A segment that
/// lost something on its way is sent again in fragments, the words between its spans.
struct Segment: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case words(String)
    case span(String, isPlainNumber: Bool)
  }

  /// Code points that a span is when sent, at most.
  static let placeholderWeight = Placeholder.text(9_999).unicodeScalars.count

  let pieces: [Piece]

  /// - Parameter spans: those inside the range, which begins and ends with something visible.
  /// - Returns: nil if there are no letters but in spans.
  init?(
    _ text: [Character],
    _ range: Range<Int>,
    _ spans: ArraySlice<ProtectedSpans.Span>
  ) {
    var pieces: [Piece] = []
    var hasWords = false
    var start = range.lowerBound
    /// The spans since the last words, which are one.
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

  /// Whether spans with this between them are one: `1, 2 & 3`. A sentence may end between two.
  private static func isGlue(_ text: ArraySlice<Character>) -> Bool {
    !text.contains { $0.isLetter || ".!?…。！？؟।॥".contains($0) }
  }
}
