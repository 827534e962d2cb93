/// Guesses a language from the script of a text, for scripts that one language dominates.
enum ScriptGuess {
  /// The language of the script that most letters are in; nil for Latin and unlisted scripts.
  ///
  /// Japanese mixes kana and Han, so any kana makes the Han letters Japanese.
  static func language(of text: String) -> String? {
    var counts: [String?: Int] = [:]
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
      let isLatin = scalar.value < 0x0370
      let script = isLatin ? nil : scripts.first { $0.range.contains(scalar.value) }
      counts[script?.language, default: 0] += 1
    }
    if counts["ja"] != nil, let han = counts.removeValue(forKey: "zh") {
      counts["ja", default: 0] += han
    }
    return counts.max { ($0.value, $1.key ?? "") < ($1.value, $0.key ?? "") }?.key
  }

  /// The main blocks of each script. Source: the Unicode block table.
  private static let scripts: [(range: ClosedRange<UInt32>, language: String)] = [
    (0x0370...0x03FF, "el"), (0x1F00...0x1FFF, "el"),
    (0x0400...0x052F, "ru"),
    (0x0590...0x05FF, "he"),
    (0x0600...0x06FF, "ar"), (0x0750...0x077F, "ar"),
    (0x0900...0x097F, "hi"),
    (0x0E00...0x0E7F, "th"),
    (0x1100...0x11FF, "ko"), (0x3130...0x318F, "ko"), (0xAC00...0xD7AF, "ko"),
    (0x3040...0x30FF, "ja"), (0x31F0...0x31FF, "ja"), (0xFF66...0xFF9F, "ja"),
    (0x3400...0x4DBF, "zh"), (0x4E00...0x9FFF, "zh"), (0x20000...0x323AF, "zh"),
  ]
}
