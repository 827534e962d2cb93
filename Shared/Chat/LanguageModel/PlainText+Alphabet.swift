extension PlainText {
  /// The maximum number of combining marks on one letter. No script needs more.
  private static let mostMarks = 8

  /// Returns the scalars that aren't in the alphabet of plain text: its letters, digits, marks,
  /// symbols and emoji.
  ///
  /// Joiners are plain only if they join letters in their script, or are part of an emoji.
  static func symbols(in text: [Unicode.Scalar]) -> [Finding] {
    var symbols: [Finding] = []
    var marks = 0
    var last: Unicode.Scalar = " "
    for (index, scalar) in text.enumerated() {
      marks = isMark(scalar) ? marks + 1 : 0
      let isPlain =
        switch scalar {
        case "\u{200C}", "\u{200D}":
          isMark(last) || last.properties.generalCategory == .otherLetter || isOfEmoji(last)
        case "\u{FE0E}", "\u{FE0F}":
          isOfEmoji(last) || text.dropFirst(index + 1).first == "\u{20E3}"
        case "\u{20E3}": last == "\u{FE0F}" || last.properties.isEmoji
        default: marks <= mostMarks && isPlain(scalar)
        }
      if !isPlain { symbols.append(Finding(kind: .symbol, span: [scalar])) }
      last = scalar
    }
    return symbols
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: true
    default: false
    }
  }

  private static func isOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && scalar.properties.isEmoji || scalar == "\u{FE0F}"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII, !isOfEmoji(scalar) else { return true }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter:
      scalar.value < 0x250 || !isStyled(scalar)
    case .otherLetter: !styledLetters.contains { $0.contains(scalar.value) }
    case .modifierLetter: modifierLetters.contains(scalar)
    case .nonspacingMark, .spacingMark, .spaceSeparator, .currencySymbol: true
    case .decimalNumber: scalar.value < 0x1D7CE
    case .letterNumber, .otherNumber: numbers.contains(scalar)
    case .otherPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation:
      !isStyled(scalar) || marks.contains(scalar) || (0xFF01...0xFF65).contains(scalar.value)
    case .mathSymbol, .modifierSymbol, .otherSymbol:
      marks.contains(scalar) || !isStyled(scalar) && symbols.contains { $0.contains(scalar.value) }
    case .format: scalar.value > 0xE0000
    default: scalar == "\n"
    }
  }

  /// Returns a Boolean value that indicates whether a scalar is a styled form of one or several
  /// other scalars.
  private static func isStyled(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.lowercaseMapping.unicodeScalars.contains {
      $0.properties.changesWhenNFKCCaseFolded && !$0.properties.changesWhenCaseFolded
    }
  }

  /// The ranges of letter-like symbols and of Arabic mathematical letters.
  private static let styledLetters: [ClosedRange<UInt32>] = [0x2100...0x214F, 0x1EE00...0x1EEFF]
  private static let modifierLetters = Set("ʻʼـๆໆៗ々〱〲〳〴〵ゝゞーヽヾｰﾞﾟ".unicodeScalars)
  private static let numbers = Set(
    "〇¹²³¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉".unicodeScalars
  )
  /// The plain marks that are styled forms of other scalars, and the plain symbols outside of the
  /// ranges below.
  private static let marks = Set(
    "…‥‑‼⁇⁈⁉″‴⁗;·¦¬°©®±×÷−≈≠≤≥≡∞√∆∑∙♯№™℃℉゛゜＋－＜＝＞｜～￥￦﷼﷽".unicodeScalars
  )
  /// The ranges of arrows, shapes, dingbats, and the symbols of scripts.
  private static let symbols: [ClosedRange<UInt32>] = [
    0x0600...0x1FFF, 0x2190...0x21FF, 0x2300...0x23FF, 0x2500...0x27BF, 0x2B00...0x2BFF,
    0x3000...0x303F,
  ]
}
