/// The grammar of plain text: the text that a model may write even if no user has written it.
///
/// | rule | accepts |
/// |---|---|
/// | text | runs between white space and separators |
/// | separator | quotes, apostrophes, brackets, dashes, symbols, emoji, marks of scripts without spaces |
/// | run | words with one joint between two of them, and marks at its ends |
/// | word | letters and digits, with the marks and joiners of their script |
/// | joint | anywhere: a hyphen, `+`, `%`, `~`, `!`, `?`, several full stops |
/// | | between digits: one of `.` `,` `:` `=` `*` `^` |
/// | | before a single letter, and in `Abbreviations`: `.` |
/// | | beside a letter of a script without spaces: `,` `;` `:` |
/// | | between two words: `/` and `&` |
/// | | in `18:30`, `haha:D` and `EU:ssa`: `:` |
/// | number | fewer than seven digits; or a date, a time or an amount |
/// | code | alternating letters and digits, as in `B2B` and `PlayStation5`, up to a length |
///
/// Everything else is a finding with a span, which a model may repeat only if users have written
/// the same (`SaidText`). Findings cover everything that an app could open, write to, call, pay to,
/// run or render. No list of such things is complete, so the grammar defines the allowed text
/// instead. Text that only looks like such a thing, usually because a space is missing, is a
/// finding, too.
enum PlainText {
  enum Kind: Hashable, Sendable, CaseIterable {
    /// A scalar that isn't in the alphabet of plain text, or that is invisible at its position.
    case symbol
    /// An HTML element, or the middle of a Markdown link.
    case markup
    /// A mark of Markdown that isn't part of a link.
    case style
    /// The address of a page, a mailbox or an app.
    case link
    /// A user's or a bot's name in a form that apps open: `@anna`, `/start`.
    case handle
    /// A tag: `#tag`, `$TAG`.
    case tag
    /// A telephone number.
    case number
    /// The address of a wallet, an account number, or a key.
    case code
    /// Words with an unexpected joint between them.
    case glued
  }

  struct Finding: Hashable, Sendable {
    var kind: Kind
    /// The finding's folded text in lower case, or the digits of a number.
    var span: [Unicode.Scalar]
  }

  /// Returns the findings in a text in no particular order, including repetitions.
  static func findings(in text: String) -> [Finding] {
    let scalars = Array(text.unicodeScalars)
    let folded = folded(scalars)
    let numbers = telephoneNumbers(in: folded)
    return symbols(in: scalars) + markup(in: folded) + runs(in: folded)
      + numbers.map { Finding(kind: .number, span: Array($0.unicodeScalars)) }
  }

  /// Returns the findings in a text except symbols and numbers.
  static func spans(in text: String) -> [Finding] {
    let folded = folded(Array(text.unicodeScalars))
    return markup(in: folded) + runs(in: folded)
  }

  /// Returns the markup in a text: images, links and elements of a page, complete or not.
  ///
  /// Marks that a model may take for the end of a turn, such as `<|im_end|>`, count as markup. So
  /// does a letter directly after a less-than sign, as in `a<b`.
  private static func markup(in text: [Unicode.Scalar]) -> [Finding] {
    zip(text, text.dropFirst()).compactMap { last, scalar in
      switch (last, scalar) {
      case ("]", "("), ("<", "/"), ("<", "!"), ("<", "?"), ("<", "|"), ("<", "a"..."z"),
        ("<", "A"..."Z"):
        Finding(kind: .markup, span: [last, scalar])
      default: nil
      }
    }
  }

  // MARK: Folding

  /// Returns the text folded as browsers fold host names, by a part of UTS #46.
  ///
  /// Full-width forms and mathematical letters become plain ones, other dots become the dot of host
  /// names, and invisible characters are removed.
  ///
  /// A full-width comma or colon stays, since it can't be part of a link. The full stop of a script
  /// without spaces ends a sentence. It is a dot only between letters of other scripts, or before
  /// one of the most common top-level domains.
  static func folded(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let scalars = text.filter {
      $0.isASCII
        || !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .format
    }
    func isSpaced(_ index: Int) -> Bool {
      scalars.indices.contains(index) && scalars[index].isOfWord
        && !scalars[index].isOfUnspacedScript
    }
    func label(behind index: Int) -> ArraySlice<Unicode.Scalar> {
      scalars[(index + 1)...].prefix(5).prefix(while: \.isOfWord)
    }
    return scalars.indices.map { index in
      switch scalars[index].value {
      case 0x3002, 0xFF61, 0xFF0E:
        isSpaced(index + 1) && (isSpaced(index - 1) || Host.isCommon(label(behind: index)))
          ? "." : "\u{3002}"
      default: plain(scalars[index])
      }
    }
  }

  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = scalar.value
    return switch value {
    case 0x2024, 0xFE52: "."
    case 0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F: scalar
    case 0xFF02...0xFF5E: Unicode.Scalar(value - 0xFEE0) ?? scalar
    // The mathematical symbols have thirteen alphabets of capital and small letters, and five rows
    // of digits.
    case 0x1D400...0x1D6A3:
      Unicode.Scalar((value - 0x1D400) % 52 + ((value - 0x1D400) % 52 < 26 ? 0x41 : 0x47)) ?? scalar
    case 0x1D7CE...0x1D7FF: Unicode.Scalar((value - 0x1D7CE) % 10 + 0x30) ?? scalar
    default: scalar
    }
  }

  static func lowercased(_ text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    text.flatMap {
      $0.isASCII || $0.properties.changesWhenLowercased
        ? Array($0.properties.lowercaseMapping.unicodeScalars) : [$0]
    }
  }
}
