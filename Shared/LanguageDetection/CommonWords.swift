/// The most common words of chat in languages that are typed with Latin letters, and the letters
/// that are typical of a language.
///
/// A word that several languages share gives each of them fewer points. All tables have about the
/// same size, so that none wins by its size.
enum CommonWords {
  /// The base codes of the languages, in the order of the bits of `Languages`.
  static let languages = [
    "en", "es", "it", "fr", "pt", "de", "nl", "pl", "sv", "tr", "ro", "id", "hi",
  ]

  /// A set of `languages`, one bit for each.
  typealias Languages = UInt16

  /// The points that a word gives to a language if no other language has it.
  static let fullWeight = 12

  /// Returns the languages that have a word.
  ///
  /// - Parameters:
  ///   - word: one word, with `'` for every apostrophe.
  ///   - isCapitalized: whether the word has a capital letter that isn't due to the beginning of a
  ///     sentence. Such a word is a name or a German noun.
  static func languages(having word: String, isCapitalized: Bool) -> Languages {
    isCapitalized
      ? index.capitalized[word] ?? 0
      : index.all[word.lowercased(), default: 0]
  }

  /// Returns the points that a word or letter gives to each of the languages that share it.
  static func weight(of languages: Languages) -> Int {
    languages == 0 ? 0 : max(1, fullWeight / languages.nonzeroBitCount)
  }

  /// Returns the languages that a letter is typical of.
  static func languages(havingLetter letter: Unicode.Scalar) -> Languages {
    letter.isASCII ? 0 : letters[letter] ?? 0
  }

  /// The words of each of `languages`, separated by white space.
  static let tables = [
    english, spanish, italian, french, portuguese, german, dutch, polish, swedish, turkish,
    romanian, indonesian, hindi,
  ]

  private static let index: (all: [String: Languages], capitalized: [String: Languages]) = {
    var all: [String: Languages] = [:]
    var capitalized: [String: Languages] = [:]
    for (bit, table) in tables.enumerated() {
      let table = table + "\n" + (shorthand[languages[bit]] ?? "")
      // The table is split by scalars. Splitting by characters would take most of a function's
      // startup time.
      for word in table.unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        guard word.first?.properties.isUppercase == true else {
          all[String(word), default: 0] |= 1 << bit
          continue
        }
        capitalized[String(word), default: 0] |= 1 << bit
        all[String(word).lowercased(), default: 0] |= 1 << bit
      }
    }
    return (all, capitalized)
  }()

  private static let letters: [Unicode.Scalar: Languages] = {
    let tables: [(letters: String, languages: [String])] = [
      ("ñÑ¿¡", ["es"]), ("ãõÃÕ", ["pt"]), ("ß", ["de"]), ("łąęśźżćńŁŚŻĆ", ["pl"]),
      ("åÅ", ["sv"]), ("ğıİ", ["tr"]), ("şŞ", ["tr", "ro"]), ("ășțţĂȘȚ", ["ro"]),
      ("ìò", ["it"]), ("èù", ["it", "fr"]), ("œëï", ["fr"]), ("êô", ["fr", "pt"]),
      ("çÇ", ["fr", "pt", "tr"]), ("â", ["fr", "pt", "ro"]), ("î", ["fr", "ro"]),
      ("ä", ["de", "sv"]), ("ö", ["de", "sv", "tr"]), ("ü", ["de", "tr"]), ("í", ["es", "pt"]),
      ("ú", ["es", "pt"]),
    ]
    var letters: [Unicode.Scalar: Languages] = [:]
    for table in tables {
      let bits = table.languages.compactMap { languages.firstIndex(of: $0) }
        .reduce(Languages(0)) { $0 | 1 << $1 }
      for letter in table.letters.unicodeScalars { letters[letter] = bits }
    }
    return letters
  }()
}
