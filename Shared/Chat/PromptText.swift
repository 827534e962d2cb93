/// A stranger's text on its way into a prompt.
package enum PromptText {
  /// The text without what a reader doesn't see, cut to a length in Unicode scalars.
  ///
  /// Controls, bidi controls, zero-width marks and tag characters go: they can hide words from
  /// people that a model reads. Line breaks become spaces. The joiners of emoji and of Indic and
  /// Persian words stay. What is cut ends with an ellipsis.
  package static func visible(_ text: String, maximum: Int) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard let shown = shown(scalar) else { continue }
      guard count < maximum else {
        result.removeLast()
        result.append("…")
        break
      }
      result.append(shown)
      count += 1
    }
    return String(result)
  }

  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "\n", "\r", "\t", "\u{2028}", "\u{2029}", "\u{85}": return " "
    case "\u{200C}", "\u{200D}": return scalar
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned: return nil
    default: return scalar
    }
  }

  /// How many tokens a text is at most, by a rule that errs on the high side: 3.2 bytes of UTF-8
  /// a token, and never fewer than one for each letter of scripts without spaces.
  package static func tokens(_ text: String) -> Int {
    var bytes = 0
    var ideographs = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      if scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
        || (0xAC00...0xD7AF).contains(scalar.value)
      {
        ideographs += 1
      }
    }
    return max((bytes * 5 + 15) / 16, ideographs * 11 / 10)
  }
}
