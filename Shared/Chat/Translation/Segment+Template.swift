import Core

extension Segment {
  /// The placeholder number of each span by its index in `pieces`, or `nil` for a number that is
  /// sent without a placeholder.
  ///
  /// A plain number is sent without a placeholder if the segment contains it once.
  private var placeholders: [Int: Int?] {
    var counts: [String: Int] = [:]
    for case .span(let text, isPlainNumber: true) in pieces { counts[text, default: 0] += 1 }
    var placeholders: [Int: Int?] = [:]
    for (index, piece) in pieces.enumerated() {
      guard case .span(let text, let isPlainNumber) = piece else { continue }
      let isItself = isPlainNumber && counts[text] == 1
      placeholders.updateValue(isItself ? nil : placeholders.count, forKey: index)
    }
    return placeholders
  }

  /// The segment's text as the provider receives it, with placeholders.
  var template: String { text(with: Placeholder.text) }

  /// Returns the segment's text with a replacement for each span that has a placeholder.
  private func text(with placeholder: (Int) -> String) -> String {
    let placeholders = placeholders
    return pieces.enumerated().map { index, piece in
      if case .some(.some(let number)) = placeholders[index] { return placeholder(number) }
      return piece.text
    }.joined()
  }

  /// Returns the translation with every placeholder replaced by its span.
  ///
  /// - Parameter answer: the translated template.
  /// - Returns: the translation, or `nil` if it is unusable. Then a placeholder, a number or all
  ///   words are missing, a placeholder is unknown, or words and spans form a link that the segment
  ///   doesn't have.
  /// - Throws: the errors of `TranslatedWords.checked`.
  func restored(from answer: String) throws(StatusError) -> String? {
    let placeholders = placeholders
    guard !placeholders.isEmpty else { return try TranslatedWords.checked(answer, of: template) }
    guard let parts = Self.parts(of: answer, placeholders) else { return nil }
    let words = parts.filter { $0.piece == nil }.map(\.text)
    guard hasNumbers(placeholders, in: words),
      words.contains(where: { $0.contains(where: \.isLetter) })
    else { return nil }
    _ = try TranslatedWords.checked(
      parts.map { $0.piece == nil ? $0.text : " " }.joined(),
      of: self.text { _ in " " }
    )
    var text = ""
    var last: Int?
    for part in parts {
      if let piece = part.piece {
        if needsSpace(at: piece, from: -1, beside: text) { text += " " }
        text += pieces[piece].text
      } else {
        let run = TranslatedWords.onOneLine(part.text)
        if let last, needsSpace(at: last, from: 1, beside: run) { text += " " }
        text += run
      }
      last = part.piece
    }
    text = TranslatedWords.trimmed(text)
    return TranslatedWords.isNew(text, beside: self) ? nil : text
  }

  /// A part of a translated template: words, or the index of a piece.
  private struct Part {
    var text = ""
    var piece: Int?
  }

  /// Returns the parts of a translated template, or `nil` if a placeholder is missing, repeated or
  /// unknown.
  private static func parts(of answer: String, _ placeholders: [Int: Int?]) -> [Part]? {
    var open: [Int: Int] = [:]
    for case (let piece, .some(let number)) in placeholders { open[number] = piece }
    let answer = SegmentedText.characters(of: answer)
    var parts: [Part] = []
    var start = 0
    var index = 0
    while index < answer.count {
      guard let placeholder = Placeholder(in: answer, at: index) else {
        index += 1
        continue
      }
      guard let piece = open.removeValue(forKey: placeholder.number) else { return nil }
      if start < index { parts.append(Part(text: String(answer[start..<index]))) }
      parts.append(Part(piece: piece))
      index = placeholder.range.upperBound
      start = index
    }
    if start < answer.count { parts.append(Part(text: String(answer[start...]))) }
    return open.isEmpty ? parts : nil
  }

  /// Returns a Boolean value that indicates whether each number that was sent without a placeholder
  /// occurs once.
  private func hasNumbers(_ placeholders: [Int: Int?], in words: [String]) -> Bool {
    var counts: [String: Int] = [:]
    for word in words {
      for digits in word.unicodeScalars.split(whereSeparator: {
        $0.properties.numericType != .decimal
      })
      where digits.count <= 4 { counts[String(digits), default: 0] += 1 }
    }
    return placeholders.allSatisfy { index, number in
      number != nil || counts[pieces[index].text] == 1
    }
  }

  /// Returns a Boolean value that indicates whether a space must be inserted between a span and its
  /// neighbor.
  ///
  /// Beside a word, a space is inserted if the span has white space or nothing beside it in the
  /// segment. Letters of a script without spaces need one only beside a link, a handle or a tag,
  /// since they could extend it. Punctuation must not join a link and a word that it doesn't join
  /// in the segment.
  ///
  /// - Parameters:
  ///   - side: -1 for the text before the span, 1 for the text after it.
  ///   - words: the translation's text on this side of the span.
  private func needsSpace(at piece: Int, from side: Int, beside words: String) -> Bool {
    let isOpenable = TranslatedWords.isOpenable(pieces[piece].text)
    let edge = Self.edge(of: words, side)
    guard let scalar = edge.first else { return false }
    guard scalar.isOfWord || scalar == "_" else {
      guard isOpenable, PlainText.isJoint(scalar) else { return false }
      return edge.contains(where: \.isOfWord) && !runsOn(from: piece, side)
    }
    if scalar.isOfUnspacedScript, !isOpenable,
      !pieces[piece].text.unicodeScalars.contains(where: { "/@#".unicodeScalars.contains($0) })
    {
      return false
    }
    guard pieces.indices.contains(piece + side) else { return true }
    let neighbor = pieces[piece + side].text
    return (side < 0 ? neighbor.last : neighbor.first)?.isWhitespace == true
  }

  /// Returns a Boolean value that indicates whether a word touches a span, without a space between,
  /// in the segment itself.
  private func runsOn(from piece: Int, _ side: Int) -> Bool {
    var index = piece + side
    while pieces.indices.contains(index) {
      let edge = Self.edge(of: pieces[index].text, side)
      if edge.contains(where: \.isOfWord) { return true }
      guard edge.count == pieces[index].text.count else { return false }
      index += side
    }
    return false
  }

  /// Returns the run of word characters and joints beside the span, from the span outward, each
  /// character as its first scalar.
  private static func edge(of words: String, _ side: Int) -> [Unicode.Scalar] {
    func runs(_ scalar: Unicode.Scalar) -> Bool { scalar.isOfWord || PlainText.isJoint(scalar) }
    let firsts = { (character: Character) in character.unicodeScalars.first }
    return side < 0
      ? words.reversed().lazy.compactMap(firsts).prefix(while: runs).map(\.self)
      : words.lazy.compactMap(firsts).prefix(while: runs).map(\.self)
  }

  // MARK: Fragments

  /// The texts between the spans, which are sent alone if the template lost spans in translation.
  var fragments: [String] {
    pieces.compactMap { piece in
      guard case .words(let words) = piece, words.contains(where: \.isLetter) else { return nil }
      return TranslatedWords.trimmed(words)
    }
  }

  /// Returns the segment with its fragments translated and everything else unchanged.
  func joined(
    _ translation: (String) throws(StatusError) -> String
  ) throws(StatusError) -> String {
    var text = ""
    for piece in pieces {
      guard case .words(let words) = piece, words.contains(where: \.isLetter) else {
        text += piece.text
        continue
      }
      let fragment = TranslatedWords.trimmed(words)
      text += String(words.prefix(while: \.isWhitespace))
      text += try TranslatedWords.checked(translation(fragment), of: fragment)
      text += String(words.reversed().prefix(while: \.isWhitespace).reversed())
    }
    guard !TranslatedWords.isNew(text, beside: self) else { throw TranslatedWords.refusal }
    return text
  }
}

extension Segment.Piece {
  /// The piece's original text.
  var text: String {
    switch self {
    case .words(let text), .span(let text, _): text
    }
  }
}
