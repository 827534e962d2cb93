/// The commonest words of chat in languages that are typed with Latin letters, and the letters that
/// give such a language away.
///
/// A word that several languages share says less about each of them. Every language's table has
/// about as many words as the others', so that none wins by its size.
enum CommonWords {
  /// Base codes, in the order of the bits of `Languages`.
  static let languages = [
    "en", "es", "it", "fr", "pt", "de", "nl", "pl", "sv", "tr", "ro", "id", "hi",
  ]

  /// Some of `languages`, one bit for each.
  typealias Languages = UInt16

  /// What a word says that no other of the languages has.
  static let fullWeight = 12

  /// The languages that have this word.
  ///
  /// - Parameters:
  ///   - word: one word, with `'` for every apostrophe.
  ///   - isCapitalized: whether it has a capital letter for no other reason than itself: not at
  ///     the beginning of a sentence. It is a name then, or a noun of German.
  static func languages(having word: String, isCapitalized: Bool) -> Languages {
    isCapitalized
      ? index.capitalized[word] ?? 0
      : index.all[word.lowercased(), default: 0]
  }

  /// What a word or letter of these languages says for each of them.
  static func weight(of languages: Languages) -> Int {
    languages == 0 ? 0 : max(1, fullWeight / languages.nonzeroBitCount)
  }

  /// The languages that a letter gives away.
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
      // By scalars: to split by characters would take most of a function's start.
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
