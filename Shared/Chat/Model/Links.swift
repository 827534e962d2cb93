/// What a text would make a reader open, write to or call: a model must not bring up any that
/// wasn't in its input.
///
/// What only looks like one is taken for one, most often for want of a space: `Ciao.Come stai` has
/// the form of a host and `Nota:questo` that of a scheme. So do names of files, and four numbers
/// with dots between them.
package enum Links {
  /// Addresses of pages and of mail, and telephone numbers, each in the form in which two are
  /// compared: lower case, telephone numbers as digits.
  package static func found(in text: String) -> Set<String> {
    let scalars = folded(text)
    return Set(addresses(in: scalars)).union(telephoneNumbers(in: scalars))
  }

  /// The text as a browser takes it (UTS #46), as far as it goes: for full-width forms and
  /// mathematical letters the plain ones, and for other dots the one of host names.
  ///
  /// A full-width colon is that of a text, and opens nothing. The full stop of a script without
  /// spaces ends a sentence, unless letters of other scripts stand on both its sides.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    let scalars = Array(text.unicodeScalars)
    func isSpaced(_ index: Int) -> Bool {
      scalars.indices.contains(index) && !scalars[index].isOfUnspacedScript
        && !scalars[index].properties.isWhitespace
    }
    return scalars.indices.map { index in
      switch scalars[index].value {
      case 0x3002, 0xFF61, 0xFF0E: isSpaced(index - 1) && isSpaced(index + 1) ? "." : "\u{3002}"
      default: plain(scalars[index])
      }
    }
  }

  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = scalar.value
    return switch value {
    case 0x2024: "."
    case 0xFF1A: scalar
    case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0) ?? scalar
    // Thirteen alphabets of capital and small letters, and five rows of digits.
    case 0x1D400...0x1D6A3:
      Unicode.Scalar((value - 0x1D400) % 52 + ((value - 0x1D400) % 52 < 26 ? 0x41 : 0x47)) ?? scalar
    case 0x1D7CE...0x1D7FF: Unicode.Scalar((value - 0x1D7CE) % 10 + 0x30) ?? scalar
    default: scalar
    }
  }

  /// Of the runs between white space, quotes, brackets and commas those that can be opened or
  /// written to, without marks at their ends.
  private static func addresses(in text: [Unicode.Scalar]) -> [String] {
    let lowered = String(String.UnicodeScalarView(text)).lowercased().unicodeScalars
    return Array(lowered)
      .split { $0.properties.isWhitespace || separators.contains($0) }
      .compactMap { run in
        var token = run.drop(while: marks.contains)
        while let last = token.last, marks.contains(last) { token.removeLast() }
        let endsWithDot = token.endIndex < run.endIndex && run[token.endIndex] == "."
        guard hasScheme(token) || hasHost(token) else { return nil }
        let text = String(String.UnicodeScalarView(token))
        return Abbreviations.contains(text, endsWithDot: endsWithDot) ? nil : text
      }
  }

  private static let separators = Set("\"'`“”„‘’«»<>()[]{}|\\—,;、「」。：".unicodeScalars)
  private static let marks = Set(".!?:…*_~".unicodeScalars)

  // MARK: Schemes

  /// Whether there is an ASCII word of three letters or more before a colon and directly behind it
  /// a letter, a slash or a question mark; behind schemes that everybody has, anything.
  ///
  /// One letter or slash alone behind the colon is a face, as in `haha:D`.
  private static func hasScheme(_ token: ArraySlice<Unicode.Scalar>) -> Bool {
    token.indices.contains { index in
      guard token[index] == ":", let next = token[(index + 1)...].first else { return false }
      let name = token[..<index].reversed().prefix { isOfScheme($0) }
      guard name.count(where: \.properties.isLowercase) >= 3 else { return false }
      if schemes.contains(String(String.UnicodeScalarView(name.reversed()))) { return true }
      guard index + 2 < token.endIndex else { return false }
      return next == "/" || next == "?"
        || next.properties.isAlphabetic && !next.isOfUnspacedScript
    }
  }

  private static func isOfScheme(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "+" || scalar == "-"
  }

  private static let schemes: Set<String> = [
    "bitcoin", "callto", "ethereum", "facetime", "geo", "intent", "javascript", "litecoin",
    "mailto",
    "sip", "skype", "sms", "smsto", "tel", "viber", "whatsapp",
  ]
}
