/// The spelling of each language: the frequencies of groups of three letters in the words of
/// `CommonWords`.
///
/// The frequencies show the likely language of words that are in no table: "zeppa" looks Italian,
/// "ficou" Portuguese. The instance is created with its first use, in half a millisecond; most
/// texts don't need it.
struct LetterGroups {
  static let standard = LetterGroups(CommonWords.tables)

  /// The counts by group and language: `counts[group * languages + language]`.
  private let counts: [UInt8]
  /// The number of groups in each language's words.
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

  /// Returns the likelihood of the words' spelling in each language, as an approximate logarithm of
  /// base 2; 0 for no words.
  ///
  /// - Parameter words: the words, separated by spaces.
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

  /// Returns the logarithm of base 2, with linear interpolation between powers of two. The standard
  /// library has no logarithm.
  private func logarithm(_ value: Float) -> Float {
    Float(value.exponent) + value.significand - 1
  }

  /// The count of a group that a language's words don't have.
  private static let unseen: Float = 0.3

  /// The number of groups: three letters of 32 classes each.
  private static let groupCount = 32 * 32 * 32

  /// Calls a closure for every group of three consecutive letter classes. The edge of a word counts
  /// as a class.
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

  /// Returns the class of a letter or apostrophe, or 0 for any other scalar.
  ///
  /// Each ASCII letter has its own class. The other letters share four classes, by their accent.
  /// So a class fits into five bits, and the table of all groups of three classes is small.
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
