/// A writing system. The cases are those that help to distinguish languages.
package enum Script: CaseIterable, Sendable {
  case latin, greek, cyrillic, hebrew, arabic, devanagari, thai, hangul, kana, han
  /// Any script that isn't listed here.
  case other

  /// The language that dominates the script, or `nil` if none does.
  var language: String? {
    switch self {
    case .latin, .other: nil
    case .greek: "el"
    case .cyrillic: "ru"
    case .hebrew: "he"
    case .arabic: "ar"
    case .devanagari: "hi"
    case .thai: "th"
    case .hangul: "ko"
    case .kana: "ja"
    case .han: "zh"
    }
  }

  /// The number of letters of an alphabet that carry as much information as one letter of this
  /// script.
  var weight: Int {
    switch self {
    case .hangul, .kana, .han: 3
    default: 1
    }
  }

  /// Returns the script that indicates a text's language best, or `nil` for Latin or an unlisted
  /// script.
  ///
  /// Japanese mixes kana and Han, so any kana makes the Han letters Japanese.
  static func dominant(of counts: [Script: Int]) -> Script? {
    var weights = counts.map { (script: $0, weight: $0.weight * $1) }
    if let kana = weights.firstIndex(where: { $0.script == .kana }),
      let han = weights.firstIndex(where: { $0.script == .han })
    {
      weights[kana].weight += weights[han].weight
      weights[han].weight = 0
    }
    let first = weights.max {
      ($0.weight, $1.script.language ?? "") < ($1.weight, $0.script.language ?? "")
    }
    return first.flatMap { $0.script.language == nil ? nil : $0.script }
  }

  /// Returns the number of letters of each script; a script without letters has no entry.
  static func counts(in text: some Sequence<Unicode.Scalar>) -> [Script: Int] {
    var counts: [Script: Int] = [:]
    for scalar in text where scalar.properties.isAlphabetic {
      counts[Script(scalar), default: 0] += 1
    }
    return counts
  }

  private init(_ letter: Unicode.Scalar) {
    self =
      letter.value < 0x0370
      ? .latin : Self.blocks.first { $0.range.contains(letter.value) }?.script ?? .other
  }

  /// The main blocks of each script.
  ///
  /// Source: the Unicode block table.
  private static let blocks: [(range: ClosedRange<UInt32>, script: Script)] = [
    (0x0370...0x03FF, .greek), (0x1F00...0x1FFF, .greek),
    (0x0400...0x052F, .cyrillic),
    (0x0590...0x05FF, .hebrew),
    (0x0600...0x06FF, .arabic), (0x0750...0x077F, .arabic),
    (0x0900...0x097F, .devanagari),
    (0x0E00...0x0E7F, .thai),
    (0x1100...0x11FF, .hangul), (0x3130...0x318F, .hangul), (0xAC00...0xD7AF, .hangul),
    (0x3040...0x30FF, .kana), (0x31F0...0x31FF, .kana), (0xFF66...0xFF9F, .kana),
    (0x3400...0x4DBF, .han), (0x4E00...0x9FFF, .han), (0x20000...0x323AF, .han),
    (0x1E00...0x1EFF, .latin), (0xFF21...0xFF3A, .latin), (0xFF41...0xFF5A, .latin),
  ]
}
