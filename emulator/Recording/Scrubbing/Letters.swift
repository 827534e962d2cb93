import Synchronization

/// Letters that can stand for each other: of one script, and as long in UTF-8.
enum Letters {
  private static let vowels = Array("aeiou".unicodeScalars)
  private static let consonants = Array("bcdfghklmnprstvz".unicodeScalars)
  private static let hexadecimalDigits = Array("0123456789abcdef".unicodeScalars)

  /// What a language is written with today, where blocks have rarer letters, too. Small letters only.
  private static let alphabets: [ClosedRange<UInt32>] = [
    // Greek without the final sigma, Cyrillic, Armenian, Hebrew, Arabic, Devanagari.
    0x3B1...0x3C1, 0x3C3...0x3C9, 0x430...0x44F, 0x450...0x45F, 0x561...0x586, 0x5D0...0x5EA,
    0x628...0x63A, 0x641...0x64A, 0x915...0x939,
    // Bengali, Tamil, Thai, Georgian, hiragana, katakana, Han, Hangul.
    0x995...0x9A8, 0xBB0...0xBB5, 0xE01...0xE2E, 0x10D0...0x10F0, 0x3041...0x3094,
    0x30A1...0x30F4, 0x4E00...0x9FA5, 0xAC00...0xD7A3,
  ]

  /// Letters that tell of a language, by what they have in common: they become each other.
  private static let families = [
    "áéíóú", "àèìòù", "âêîôû", "äëïöü", "ãõ", "çñ", "åæø", "šžčřěňď", "ąęłśźćń", "ğş", "άέήίόύώ",
    "پچژگکی",
  ].map { Array($0.unicodeScalars) }

  /// The scripts in which nothing parts words: each letter is one. Thai's are told apart by nobody
  /// without a dictionary.
  private static let unspaced: [ClosedRange<UInt32>] = [
    0xE00...0xE7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x323AF,
  ]

  /// What the grammar of Chinese is made of, which everybody writes.
  private static let grammar = Set("的了是我你您他她它們们这這那在不有和就都也吗嗎呢吧啊很没沒什么麼说說给給".unicodeScalars)

  /// What stands for letters of no alphabet above, once it is known.
  private static let substitutes = Mutex<[Unicode.Scalar: [Unicode.Scalar]]>([:])

  /// Whether a letter is a word by itself.
  static func isSingleWord(_ scalar: Unicode.Scalar) -> Bool {
    unspaced.contains { $0.contains(scalar.value) } && !grammar.contains(scalar)
  }

  /// Whether it tells something: a letter, a vowel's sign or a digit of any script.
  static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.properties.isAlphabetic || scalar.isNumber) && !grammar.contains(scalar)
  }

  /// The letter that stands for a small one, by a number; marks stay.
  ///
  /// - Returns: nil if there is no other letter like it.
  static func other(than scalar: Unicode.Scalar, _ number: Int) -> Unicode.Scalar? {
    switch scalar {
    case "a", "e", "i", "o", "u": return vowels[number % vowels.count]
    case "a"..."z": return consonants[number % consonants.count]
    case "0"..."9": return hexadecimalDigits[1 + number % 9]
    default:
      guard isReplaced(scalar) else { return scalar }
      if let alphabet = alphabets.first(where: { $0.contains(scalar.value) }) {
        return Unicode.Scalar(alphabet.lowerBound + UInt32(number % alphabet.count))
      }
      if let family = families.first(where: { $0.contains(scalar) }) {
        return family[number % family.count]
      }
      let others = substitutes.withLock { known in
        if let others = known[scalar] { return others }
        let others = alike(scalar)
        known[scalar] = others
        return others
      }
      if !others.isEmpty { return others[number % others.count] }
      // Such as Khmer's sign of repetition.
      return scalar.properties.generalCategory == .modifierLetter ? scalar : nil
    }
  }

  static func hexadecimal(_ number: Int) -> Unicode.Scalar {
    hexadecimalDigits[number % hexadecimalDigits.count]
  }

  /// Scalars of the same block and kind, itself among them; none if it is the only one. Blocks
  /// begin at multiples of 128, but for those of few letters, which borrow from their neighbours.
  private static func alike(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let kind = Kind(scalar)
    for size: UInt32 in [0x80, 0x400] {
      let start = scalar.value / size * size
      let all = (start..<start + size).compactMap(Unicode.Scalar.init).filter { Kind($0) == kind }
      if all.count > 1 { return all }
    }
    return []
  }

  private struct Kind: Equatable {
    var category: Unicode.GeneralCategory
    var isAlphabetic: Bool
    var length: Int
    /// nil if it has none that is one scalar.
    var capitalLength: Int?

    init(_ scalar: Unicode.Scalar) {
      let capital = scalar.properties.uppercaseMapping
      category = scalar.properties.generalCategory
      isAlphabetic = scalar.properties.isAlphabetic
      length = UTF8.width(scalar)
      capitalLength =
        scalar.properties.changesWhenUppercased && capital.unicodeScalars.count == 1
        ? capital.utf8.count : nil
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a digit of any script, or a number in one character.
  var isNumber: Bool {
    [.decimalNumber, .otherNumber].contains(properties.generalCategory)
  }
}
