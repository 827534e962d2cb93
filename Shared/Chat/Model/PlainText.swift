/// The grammar of plain text: what a model may write of its own accord.
///
/// | rule | what passes |
/// |---|---|
/// | text | runs, parted by white space and separators: quotes, apostrophes, brackets, dashes, symbols, emoji, and the marks of scripts without spaces |
/// | run | words with one joint between two of them, and marks at its ends |
/// | word | letters and digits, with the marks and joiners of their script |
/// | joint | a hyphen, `+`, `%`, `~`, `!`, `?`, several full stops: anywhere |
/// | | one of `.` `,` `:` `=` `*` `^`: between digits; `.` also before a single letter, and in `Abbreviations` |
/// | | `,` `;` `:`: beside a letter of a script without spaces; `:` also in `18:30`, `haha:D` and `EU:ssa` |
/// | | `/` and `&`: between two words |
/// | number | fewer than seven digits; or a date, a time or an amount |
/// | code | letters and digits in turn, as in `B2B` and `PlayStation5`, up to a length |
///
/// Everything else is a finding, with its span: it passes where people have written the same
/// (`SaidText`). That is what an app could open, write to, call, pay to, run or render: nobody lists
/// what apps know. What only looks like it, most often for want of a space, is a finding too.
enum PlainText {
  enum Kind: Hashable, Sendable, CaseIterable {
    /// A scalar that is outside of the alphabet, or shows nothing where it stands.
    case symbol
    /// An element of HTML, or the middle of Markdown's links.
    case markup
    /// Other marks of Markdown.
    case style
    /// The address of a page, of mail or of an app.
    case link
    /// A name that is addressed: `@anna`, `/start`.
    case handle
    /// `#tag`, `$TAG`.
    case tag
    /// A telephone number.
    case number
    /// A purse's address, an account, a key.
    case code
    /// Words with a joint between them that has no place there.
    case glued
  }

  struct Finding: Hashable, Sendable {
    var kind: Kind
    /// Folded, in lower case; of a number the digits.
    var span: [Unicode.Scalar]
  }

  /// Returns everything in a text that isn't plain, in no order; the same twice is there twice.
  static func findings(in text: String) -> [Finding] {
    let scalars = Array(text.unicodeScalars)
    let folded = folded(scalars)
    let numbers = telephoneNumbers(in: folded)
    return symbols(in: scalars) + markup(in: folded) + runs(in: folded)
      + numbers.map { Finding(kind: .number, span: Array($0.unicodeScalars)) }
  }

  /// Returns the same without symbols and numbers.
  static func spans(in text: String) -> [Finding] {
    let folded = folded(Array(text.unicodeScalars))
    return markup(in: folded) + runs(in: folded)
  }

  /// An image, a link or an element of a page, be it closed or not; or what a model may take for the
  /// end of a turn, as in `<|im_end|>`.
  ///
  /// A letter right behind a less-than sign, as in `a<b`, is taken for an element.
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

  /// The text as a browser takes it (UTS #46), as far as it goes: for full-width forms and
  /// mathematical letters the plain ones, for other dots the one of host names, and nothing for what
  /// shows nothing.
  ///
  /// A full-width comma or colon is that of a text, and opens nothing. The full stop of a script
  /// without spaces ends a sentence, unless letters of other scripts stand on both its sides, or one of
  /// the commonest top-level domains behind it.
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
    // Thirteen alphabets of capital and small letters, and five rows of digits.
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
