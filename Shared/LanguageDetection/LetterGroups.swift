/// How the words of each language are spelled: how often three letters follow each other in the
/// words of `CommonWords`.
///
/// It judges the words that no table has: "zeppa" looks Italian, "ficou" Portuguese. It is made
/// when the first text asks for it, in half a millisecond, and most texts never ask.
struct LetterGroups {
  static let standard = LetterGroups(CommonWords.tables)

  /// Counts by group and language: `counts[group * languages + language]`.
  private let counts: [UInt8]
  /// How many groups the words of each language have.
  private let totals: [Float]

  private init(_ tables: [String]) {
    var counts = [UInt8](repeating: 0, count: Self.groupCount * tables.count)
    var totals = [Float](repeating: 0, count: tables.count)
    for (language, table) in tables.enumerated() {
      Self.forEachGroup(of: table.unicodeScalars) { group in
        let place = group * tables.count + language
        if counts[place] < .max { counts[place] += 1 }
        totals[language] += 1
      }
    }
    self.counts = counts
    self.totals = totals
  }

  /// How likely each language spells words this way: a logarithm of base 2, about; 0 for none.
  ///
  /// - Parameter words: separated by spaces.
  func likelihoods(of words: String.UnicodeScalarView) -> [Float] {
    var likelihoods = [Float](repeating: 0, count: totals.count)
    Self.forEachGroup(of: words) { group in
      for language in totals.indices {
        let count = Float(counts[group * totals.count + language])
        likelihoods[language] += logarithm((count + Self.unseen) / (totals[language] + 400))
      }
    }
    return likelihoods
  }

  /// The logarithm of base 2, straight between its whole values; the standard library has none.
  private func logarithm(_ value: Float) -> Float {
    Float(value.exponent) + value.significand - 1
  }

  /// What a group counts that a language's words don't have.
  private static let unseen: Float = 0.3

  /// 32 classes of letters, three times.
  private static let groupCount = 32 * 32 * 32

  /// Every three classes that follow each other, a word's edges among them.
  private static func forEachGroup(
    of words: String.UnicodeScalarView,
    _ body: (_ group: Int) -> Void
  ) {
    var group = 0
    func append(_ letter: Int) {
      if group & 31 == 0 { group = 0 }
      group = (group << 5 | letter) & (groupCount - 1)
      if group >> 5 != 0 { body(group) }
    }
    for scalar in words { append(letterClass(scalar)) }
    append(0)
  }

  /// 0 for what is no letter; the letters of ASCII; and the others by the kind of their mark, so
  /// that three classes fit into a small table.
  private static func letterClass(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "a"..."z": Int(scalar.value) - 0x60
    case "A"..."Z": Int(scalar.value) - 0x40
    case "'": 27
    case "á", "é", "í", "ó", "ú", "ý", "ć", "ś", "ń", "ź", "Á", "É", "Í", "Ó", "Ú": 28
    case "à", "è", "ì", "ò", "ù", "À", "È", "Ì", "Ò", "Ù", "â", "ê", "î", "ô", "û", "Ê", "Â": 29
    case "ã", "õ", "ñ", "ç", "Ã", "Õ", "Ñ", "Ç", "ą", "ę", "ş", "ţ", "ș", "ț": 30
    case "\u{C0}"...: 31
    default: 0
    }
  }
}
