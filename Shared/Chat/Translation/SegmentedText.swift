/// A text split into segments that a translator receives, and literals that it doesn't.
///
/// Segments are sentences or lines, since a translator needs context. Line breaks, blocks of code,
/// and white space and emoji at the ends of a line are literals. Joined together, the untranslated
/// parts are the text.
struct SegmentedText: Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case segment(Segment)
  }

  let parts: [Part]

  /// Splits a text into segments and literals.
  ///
  /// - Parameter maximumCharacters: the maximum number of code points of a segment as it is sent.
  init(_ text: String, maximumCharacters: Int) {
    let characters = Self.characters(of: text)
    let spans = ProtectedSpans.found(in: characters)
    var parts: [Part] = []
    for line in Line.lines(of: characters, spans) {
      for piece in line.cut(toFit: maximumCharacters) { parts += piece.parts }
    }
    self.parts = parts
  }

  /// Returns the characters of a text, and splits those with more marks than any script has.
  ///
  /// Comparing two characters of a thousand marks takes a million steps.
  static func characters(of text: String) -> [Character] {
    var characters: [Character] = []
    for character in text {
      guard character.utf8.count > longestCharacter else {
        characters.append(character)
        continue
      }
      let scalars = Array(character.unicodeScalars)
      for start in stride(from: 0, to: scalars.count, by: partLength) {
        characters += String(String.UnicodeScalarView(scalars[start...].prefix(partLength)))
      }
    }
    return characters
  }

  /// The maximum length of a whole character, in bytes. The emoji of a family of four with skin
  /// colors has 41 bytes.
  private static let longestCharacter = 128
  /// The length of a part of a split character, in Unicode scalars.
  private static let partLength = 32

  /// The segments to translate, in order.
  var segments: [Segment] {
    parts.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
  }

  /// Returns the text with each segment replaced by its translation.
  func joined<Failure: Error>(
    _ translation: (Segment) throws(Failure) -> String
  ) throws(Failure) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .segment(let segment): text += try translation(segment)
      }
    }
    return text
  }
}

/// A line of a text with its line break, or a span that contains line breaks.
private struct Line {
  let text: [Character]
  let range: Range<Int>
  /// The spans in the line's range.
  let spans: ArraySlice<ProtectedSpans.Span>

  static func lines(of text: [Character], _ spans: [ProtectedSpans.Span]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    var firstSpan = 0
    var nextSpan = 0
    func end(at end: Int) {
      if end > start {
        lines.append(Line(text: text, range: start..<end, spans: spans[firstSpan..<nextSpan]))
      }
      start = end
      firstSpan = nextSpan
    }
    var index = 0
    while index < text.count {
      if nextSpan < spans.count, spans[nextSpan].range.lowerBound == index {
        let range = spans[nextSpan].range
        let hasBreak = text[range].contains(where: \.isNewline)
        if hasBreak { end(at: index) }
        nextSpan += 1
        index = range.upperBound
        if hasBreak { end(at: index) }
      } else {
        index += 1
        if text[index - 1].isNewline { end(at: index) }
      }
    }
    end(at: text.count)
    return lines
  }

  // MARK: Long lines

  /// Returns the line in pieces of at most a number of code points.
  ///
  /// A piece ends after a sentence if possible, else after a word, else between two characters;
  /// never inside a span.
  func cut(toFit maximumCharacters: Int) -> [Line] {
    var pieces: [Line] = []
    var start = range.lowerBound
    var firstSpan = spans.startIndex
    var nextSpan = spans.startIndex
    var weight = 0
    /// The last possible cut of each kind, with the number of spans before it.
    var sentence: (index: Int, span: Int)?
    var word: (index: Int, span: Int)?
    var index = start
    while index < range.upperBound {
      let isSpan = nextSpan < spans.endIndex && spans[nextSpan].range.lowerBound == index
      let end = isSpan ? spans[nextSpan].range.upperBound : index + 1
      let added = isSpan ? Segment.placeholderWeight : text[index].unicodeScalars.count
      if weight + added > maximumCharacters, index > start {
        let place = sentence ?? word ?? (index, nextSpan)
        pieces.append(
          Line(text: text, range: start..<place.index, spans: spans[firstSpan..<place.span])
        )
        (start, firstSpan) = place
        // The text after the cut is processed again, in the next piece.
        (index, nextSpan) = place
        (sentence, word, weight) = (nil, nil, 0)
        continue
      }
      weight += added
      if isSpan { nextSpan += 1 }
      if !isSpan, endsSentence(at: index) { sentence = (end, nextSpan) }
      if !isSpan, text[index].isWhitespace { word = (end, nextSpan) }
      index = end
    }
    pieces.append(
      Line(text: text, range: start..<range.upperBound, spans: spans[firstSpan..<spans.endIndex])
    )
    return pieces
  }

  /// Returns a Boolean value that indicates whether a sentence ends at an index.
  ///
  /// A sentence ends with white space after a final mark, or with the final mark of a script
  /// without spaces.
  private func endsSentence(at index: Int) -> Bool {
    if "。！？｡".contains(text[index]) { return true }
    guard text[index].isWhitespace else { return false }
    let last = text[range.lowerBound..<index].last { !"\"'”’»)]".contains($0) }
    return last.map { ".!?…؟।॥".contains($0) } ?? false
  }

  // MARK: Parts

  /// The line's segment with the literals around it, or one literal if all letters are in spans.
  var parts: [SegmentedText.Part] {
    var core = range
    var inner = spans
    while let first = core.first {
      if let span = inner.first, span.range.lowerBound == first {
        guard span.kind == .emoji else { break }
        inner.removeFirst()
      } else if !text[first].isWhitespace {
        break
      }
      core.removeFirst()
    }
    while let last = core.last {
      if let span = inner.last, span.range.contains(last) {
        guard span.kind == .emoji else { break }
        inner.removeLast()
      } else if !text[last].isWhitespace {
        break
      }
      core.removeLast()
    }
    guard let segment = Segment(text, core, inner) else {
      return [.literal(String(text[range]))]
    }
    return [
      .literal(String(text[range.lowerBound..<core.lowerBound])), .segment(segment),
      .literal(String(text[core.upperBound..<range.upperBound])),
    ]
  }
}
