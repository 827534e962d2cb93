extension Phrasebook {
  /// The tables of the standard phrasebook, one for each theme.
  ///
  /// Each line is a phrase in the columns en, es, it, fr, pt, de, separated by ` | `. A change to a
  /// phrase therefore changes one line. The register is that of a chat between friends: tú, tu, du,
  /// and Brazilian você. A translation that must choose the writer's gender uses the masculine, as
  /// machine translation does.
  static let tables = [
    greetings, plans, courtesy, replies, people, dailyLife, travel, templates,
  ]
}
