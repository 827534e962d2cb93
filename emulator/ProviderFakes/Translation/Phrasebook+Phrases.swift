extension Phrasebook {
  /// The phrases of the standard book, a table a theme.
  ///
  /// One line is one phrase in the columns en, es, it, fr, pt, de, separated by ` | `, so that a
  /// change to a phrase is a change to one line. The register is that of a chat between friends:
  /// tú, tu, du, and Brazilian você. Where a translation must choose a gender for the writer, it
  /// chooses the masculine, as machine translation does.
  static let tables = [
    greetings, plans, courtesy, replies, people, dailyLife, travel, templates,
  ]
}
