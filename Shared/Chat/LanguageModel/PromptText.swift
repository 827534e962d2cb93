/// The preparation of untrusted text for a prompt.
package enum PromptText {
  /// Returns the text without invisible characters, cut to a length in Unicode scalars.
  ///
  /// Controls, bidi controls, zero-width marks and tag characters are removed, because people can't
  /// see text that is hidden with them, but a model reads it. Line breaks become spaces. The
  /// joiners of emoji and of Indic and Persian words stay, and so do variation selectors, but only
  /// where they have an effect. Otherwise, a row of them could encode hidden text. The tag
  /// characters in the flags of England, Scotland and Wales stay, too. A cut text ends with an
  /// ellipsis.
  package static func visible(_ text: String, maximum: Int) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for case (_, let shown?) in Shown(text.unicodeScalars[...]) {
      guard count < maximum else {
        if isTag(result.removeLast()) {
          while let last = result.last, isTag(last) { result.removeLast() }
        }
        result.append("…")
        break
      }
      result.append(shown)
      count += 1
    }
    return String(result)
  }

  /// Returns the scalars that `visible` removes or replaces, in order.
  static func hidden(in text: String) -> [Unicode.Scalar] {
    Shown(text.unicodeScalars[...]).compactMap { scalar, shown in scalar == shown ? nil : scalar }
  }

  /// A sequence of a text's scalars, each with its visible form, or `nil` if it is invisible.
  private struct Shown: Sequence, IteratorProtocol {
    private var rest: Substring.UnicodeScalarView
    private var last: Unicode.Scalar?
    private var tags = 0

    init(_ text: Substring.UnicodeScalarView) { rest = text }

    mutating func next() -> (scalar: Unicode.Scalar, shown: Unicode.Scalar?)? {
      guard let scalar = rest.popFirst() else { return nil }
      let isOfFlag = tags > 0
      tags =
        scalar == PromptText.blackFlag ? PromptText.lengthOfTags(rest) : Swift.max(tags - 1, 0)
      let shown = isOfFlag ? scalar : PromptText.shown(scalar, after: last)
      last = shown ?? last
      return (scalar, shown)
    }
  }

  private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"

  /// The tag characters that turn a black flag into another flag.
  ///
  /// Source: Unicode's list of emoji for interchange.
  private static let flags = ["gbeng", "gbsct", "gbwls"].map { name in
    name.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xE0000) } + ["\u{E007F}"]
  }

  /// Returns the number of tag characters at the beginning of a text that turn the black flag
  /// before it into another flag, or 0 if there are none.
  private static func lengthOfTags(_ text: Substring.UnicodeScalarView) -> Int {
    flags.first { text.starts(with: $0) }?.count ?? 0
  }

  private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0020...0xE007F).contains(scalar.value)
  }

  private static func shown(
    _ scalar: Unicode.Scalar,
    after last: Unicode.Scalar?
  ) -> Unicode.Scalar? {
    switch scalar {
    case "\n", "\r", "\t", "\u{2028}", "\u{2029}", "\u{85}": return " "
    case "\u{200C}", "\u{200D}", "\u{FE0E}", "\u{FE0F}":
      return last.map { isJoinable($0, by: scalar) } == true ? scalar : nil
    default: break
    }
    // This condition includes letters and marks without a shape, such as fillers and most variation
    // selectors.
    guard !scalar.properties.isDefaultIgnorableCodePoint else { return nil }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return nil
    default: return scalar
    }
  }

  /// Returns a Boolean value that indicates whether a joiner or variation selector has an effect
  /// after a scalar.
  ///
  /// Both have an effect after a letter, a combining mark or an emoji. After another joiner or
  /// selector, only a joiner in an emoji has an effect.
  private static func isJoinable(_ last: Unicode.Scalar, by scalar: Unicode.Scalar) -> Bool {
    switch last {
    case "\u{200C}", "\u{200D}", "\u{FE0E}": return false
    case "\u{FE0F}": return scalar == "\u{200D}"
    default: break
    }
    switch last.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .otherLetter, .lowercaseLetter, .uppercaseLetter:
      return true
    default: return last.properties.isEmoji
    }
  }

  /// Returns an upper estimate of a text's tokens.
  ///
  /// The estimate is 3.2 bytes of UTF-8 a token, and at least one token for each letter of a script
  /// without spaces.
  package static func tokens(_ text: String) -> Int {
    var bytes = 0
    var unspaced = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      if scalar.isOfUnspacedScript { unspaced += 1 }
    }
    return max((bytes * 5 + 15) / 16, unspaced * 11 / 10)
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether this is a letter, a digit or another number, or a mark
  /// on one.
  package var isOfWord: Bool {
    if isASCII {
      switch self {
      case "a"..."z", "A"..."Z", "0"..."9": return true
      default: return false
      }
    }
    return properties.isAlphabetic || properties.numericType != nil
      || properties.canonicalCombiningClass != .notReordered
  }

  /// A Boolean value that indicates whether this belongs to a script without spaces between words,
  /// or between a word and its particles.
  ///
  /// The languages of these scripts are Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer.
  var isOfUnspacedScript: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0xAC00...0xD7AF: true
    default: properties.isIdeographic
    }
  }
}
