extension Phrasebook {
  /// The tables of the standard phrasebook, one for each theme.
  ///
  /// Each line is a phrase in the columns en, es, it, fr, pt, de, separated by ` | `. A change to a
  /// phrase therefore changes one line. The register is that of a chat between friends: tú, tu, du,
  /// and Brazilian você. A translation that must choose the writer's gender uses the masculine, as
  /// machine translation does.
  static let tables = [
    greetings, plans, courtesy, replies, people, dailyLife, travel, templates, firstMessages,
  ]

  /// The English texts of the phrases that are suggested for trying the phrasebook.
  private static let suggested = [
    "See you tomorrow!", "How are you?", "Happy birthday!", "I'm on my way!", "Where are you?",
    "Break a leg!",
  ]

  /// A few phrases to try, by language.
  var examples: [String: [String]] {
    let rows = Self.suggested.compactMap { english in phrases.first { $0[0] == english } }
    return Dictionary(
      uniqueKeysWithValues: languages.enumerated().map { index, language in
        (language, rows.map { $0[index] })
      }
    )
  }
}
