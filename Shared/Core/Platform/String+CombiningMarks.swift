extension String {
  /// The text with at most 30 combining marks in a row; further marks are dropped.
  ///
  /// For a long run of combining marks, `==`, hashing and comparing characters take quadratic time.
  /// So apply this to external text first. No language needs so many marks.
  ///
  /// Source: Unicode Standard Annex #15, Stream-Safe Text Format, where the limit is 30.
  package var limitingCombiningMarks: String {
    guard hasLongRunOfCombiningMarks else { return self }
    var run = 0
    var limited = UnicodeScalarView()
    for scalar in unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run <= Self.maximumRun { limited.append(scalar) }
    }
    return String(limited)
  }

  /// A Boolean value that indicates whether the text has more than 30 combining marks in a row.
  package var hasLongRunOfCombiningMarks: Bool {
    // The first combining mark is U+0300, in UTF-8 CC 80.
    guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var run = 0
    for scalar in unicodeScalars {
      run = scalar.isCombiningMark ? run + 1 : 0
      if run > Self.maximumRun { return true }
    }
    return false
  }

  private static var maximumRun: Int { 30 }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether normalization may reorder this scalar.
  fileprivate var isCombiningMark: Bool {
    guard value >= 0x300 else { return false }
    switch value {
    // These Tibetan vowel signs have combining class 0, but decompose into combining marks.
    case 0x0F73, 0x0F75, 0x0F81: return true
    default: return properties.canonicalCombiningClass != .notReordered
    }
  }
}
