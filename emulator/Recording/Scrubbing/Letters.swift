/// Letters that can stand for each other: of one script, and as long in UTF-8.
enum Letters {
  private static let vowels = Array("aeiou".unicodeScalars)
  private static let consonants = Array("bcdfghklmnprstvz".unicodeScalars)
  private static let hexadecimalDigits = Array("0123456789abcdef".unicodeScalars)

  /// Small letters only; letters with accents stay, for they tell of the language.
  private static let alphabets: [ClosedRange<UInt32>] = [
    // Greek without the final sigma, Cyrillic, Armenian, Hebrew, Arabic, Devanagari.
    0x3B1...0x3C1, 0x3C3...0x3C9, 0x430...0x44F, 0x561...0x586, 0x5D0...0x5EA, 0x628...0x63A,
    0x641...0x64A, 0x915...0x939,
    // Bengali, Tamil, Thai, Georgian, katakana, Han, Hangul.
    0x995...0x9A8, 0xBB0...0xBB5, 0xE01...0xE2E, 0x10D0...0x10F0, 0x30AB...0x30C9,
    0x4E00...0x9FA5, 0xAC00...0xD7A3,
  ]

  /// The scripts in which nothing parts words: each letter is one. Thai's are told apart by nobody
  /// without a dictionary.
  private static let unspaced: [ClosedRange<UInt32>] = [
    0xE00...0xE7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x323AF,
  ]

  /// What the grammar of Chinese is made of, which everybody writes.
  private static let grammar = Set("的了是我你您他她它们們这這那在不有和就都也吗嗎呢吧啊很没沒什么麼说說给給".unicodeScalars)

  /// Whether a letter is a word by itself.
  static func isSingleWord(_ scalar: Unicode.Scalar) -> Bool {
    unspaced.contains { $0.contains(scalar.value) } && !grammar.contains(scalar)
  }

  /// The letter that stands for a small one, by a number; those without a substitute stay.
  static func other(than scalar: Unicode.Scalar, _ number: Int) -> Unicode.Scalar {
    switch scalar {
    case "a", "e", "i", "o", "u": return vowels[number % vowels.count]
    case "a"..."z": return consonants[number % consonants.count]
    case "0"..."9": return hexadecimalDigits[1 + number % 9]
    default:
      guard !grammar.contains(scalar),
        let alphabet = alphabets.first(where: { $0.contains(scalar.value) })
      else { return scalar }
      let value = alphabet.lowerBound + UInt32(number % alphabet.count)
      return Unicode.Scalar(value) ?? scalar
    }
  }

  static func hexadecimal(_ number: Int) -> Unicode.Scalar {
    hexadecimalDigits[number % hexadecimalDigits.count]
  }
}
