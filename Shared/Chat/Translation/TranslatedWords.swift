import Core

/// The checks of a translator's response.
///
/// A response is untrusted data. If it has links, mentions, markup or hidden characters that
/// weren't sent, it is rejected rather than cleaned, since the rest of it can't be trusted either.
/// Character references such as `&#39;` stay as they are, since no markup is ever sent.
///
/// Links, mentions and markup are the findings of `PlainText`. Users' texts often aren't plain, and
/// neither are their translations. So a translation may have as many new findings of a kind as it
/// has lost. Unusual characters, numbers, and a capital letter right after a full stop don't count.
enum TranslatedWords {
  static let refusal = StatusError(
    .failedPrecondition,
    "the translation has a link, a mention or markup that the text does not have"
  )

  /// Returns a translation on one line, without white space at its ends.
  ///
  /// - Parameter source: the text that was sent.
  /// - Throws: `UNAVAILABLE` for an empty translation or a placeholder that wasn't sent;
  ///   `FAILED_PRECONDITION` for links, mentions, markup or hidden characters that the source
  ///   doesn't have, since a retry would give the same response.
  static func checked(_ answer: String, of source: String) throws(StatusError) -> String {
    let words = trimmed(onOneLine(answer))
    guard !words.isEmpty else {
      throw StatusError(.unavailable, "the translation provider returned an empty translation")
    }
    let placeholders = placeholders(in: words)
    guard placeholders == 0 || placeholders <= self.placeholders(in: source),
      !hasNewControls(words, beside: source)
    else {
      throw StatusError(.unavailable, "the translation provider returned an invalid response")
    }
    guard !hasNewHidden(words, beside: source) else {
      throw StatusError(
        .failedPrecondition,
        "the translation has invisible characters that the text does not have"
      )
    }
    let given = findings(in: words)
    guard !given.isEmpty else { return words }
    let asked = findings(in: trimmed(source))
    guard !areNew(given, beside: asked, instead: asked, of: kinds) else { throw refusal }
    return words
  }

  private static func placeholders(in text: String) -> Int {
    ProtectedSpans.found(in: SegmentedText.characters(of: text)).count { $0.kind == .placeholder }
  }

  /// Returns a Boolean value that indicates whether a text can be the translation of another.
  ///
  /// A translation isn't many times as long as its source, and adds no control characters. This
  /// check is for entries of the cache, which have no segments. A provider's response must pass
  /// stricter checks.
  static func isPlausible(_ text: String, of source: String) -> Bool {
    text.utf8.count <= 80 * source.utf8.count + 1_000 && !hasNewControls(text, beside: source)
  }

  // MARK: Links, mentions and markup

  /// The kinds of findings that a reader can open or write to, or an app can render.
  private static let kinds: Set<PlainText.Kind> = [.markup, .style, .link, .handle, .code]

  private static func findings(in text: String) -> [PlainText.Finding] {
    PlainText.spans(in: text).filter { kinds.contains($0.kind) || $0.kind == .glued }
  }

  /// Returns a Boolean value that indicates whether a span has a link or a handle, whose meaning
  /// adjacent text could change.
  static func isOpenable(_ span: String) -> Bool {
    findings(in: span).contains { $0.kind == .link || $0.kind == .handle }
  }

  /// Returns a Boolean value that indicates whether a segment's translation, including its spans,
  /// has findings that the segment doesn't have.
  ///
  /// Words and a span together can form a finding.
  static func isNew(_ text: String, beside segment: Segment) -> Bool {
    let given = findings(in: text)
    guard !given.isEmpty else { return false }
    let own = findings(in: segment.pieces.map(\.text).joined())
    var spans: [PlainText.Finding] = []
    for case .span(let span, _) in segment.pieces { spans += findings(in: span) }
    // A new finding must not replace a span.
    return areNew(
      given,
      beside: own + spans,
      instead: subtracted(spans, from: own),
      of: kinds.subtracting([.style])
    )
  }

  /// Returns a Boolean value that indicates whether findings of some kind are new.
  ///
  /// A new finding may replace a former one of the same kind that is missing.
  ///
  /// - Parameter former: the findings that new ones may replace.
  private static func areNew(
    _ given: [PlainText.Finding],
    beside known: [PlainText.Finding],
    instead former: [PlainText.Finding],
    of kinds: Set<PlainText.Kind>
  ) -> Bool {
    let new = subtracted(known, from: given).filter { kinds.contains($0.kind) }
    guard !new.isEmpty else { return false }
    let gone = subtracted(given, from: former)
    return kinds.contains { kind in
      new.count { $0.kind == kind }
        > gone.count { $0.kind == kind || kind == .link && $0.kind == .glued }
    }
  }

  private static func subtracted(
    _ others: [PlainText.Finding],
    from findings: [PlainText.Finding]
  ) -> [PlainText.Finding] {
    var counts = others.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return findings.filter { finding in
      guard let count = counts[finding], count > 0 else { return true }
      counts[finding] = count - 1
      return false
    }
  }

  // MARK: Characters

  private static func hasNewControls(_ text: String, beside source: String) -> Bool {
    func hasControls(_ text: String) -> Bool {
      text.utf8.contains {
        $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F
      }
    }
    return hasControls(text) && !hasControls(source)
  }

  /// Returns a Boolean value that indicates whether a text has more hidden characters of a kind
  /// than its source.
  ///
  /// Joiners, direction marks and line break opportunities don't count, since they depend on the
  /// language.
  private static func hasNewHidden(_ text: String, beside source: String) -> Bool {
    var known = PromptText.hidden(in: source).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return PromptText.hidden(in: text).contains { scalar in
      if ofLanguages.contains(scalar) || scalar.properties.isWhitespace { return false }
      known[scalar, default: 0] -= 1
      return known[scalar, default: 0] < 0
    }
  }

  private static let ofLanguages = Set(
    "\u{AD}\u{61C}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{FE0E}\u{FE0F}".unicodeScalars
  )

  // MARK: White space

  /// Returns the text with each line break replaced by a space.
  static func onOneLine(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if !isNewline(scalar) {
        result.append(scalar)
      } else if scalar != "\n" || last != "\r" {
        result.append(" ")
      }
      last = scalar
    }
    return String(result)
  }

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  static func trimmed(_ text: String) -> String {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
