import Core

/// The idioms, slang, cultural references and polite formulas of six languages, with their
/// meanings.
///
/// The rules know only these expressions. In doubt, they take a text literally.
struct IdiomLexicon: Sendable {
  /// The emulator's lexicon, parsed at first use.
  static let standard = IdiomLexicon(tables: tables)

  static let tables = [
    englishSayings, englishActions, englishFeelings, englishProverbs, englishSlang,
    englishCulture, romance, german,
  ]

  let entries: [IdiomEntry]

  /// The records that can't be parsed, which are ignored.
  let malformedRecords: [String]

  private let index: PhraseIndex<Int>

  /// Parses tables of records, separated by empty lines. `IdiomEntry` describes the form of a
  /// record.
  init(tables: [String]) {
    let records = tables.flatMap { $0.components(separatedBy: "\n\n") }
    var entries: [IdiomEntry] = []
    var malformedRecords: [String] = []
    var index = PhraseIndex<Int>()
    for record in records where !Sentence(record).core.isEmpty {
      guard let entry = IdiomEntry(record: record) else {
        malformedRecords.append(record)
        continue
      }
      for form in entry.forms { index.insert(form, meaning: entries.count) }
      entries.append(entry)
    }
    self.entries = entries
    self.malformedRecords = malformedRecords
    self.index = index
  }

  struct Match {
    let entry: IdiomEntry
    /// The matching piece of the text, verbatim.
    let piece: String
  }

  /// The maximum length of a matching piece, in Unicode scalars. A longer piece contains many
  /// invisible marks.
  private static let maximumPieceLength = 120

  /// Returns the first match in a text. If several matches begin at the same position, returns the
  /// longest one.
  ///
  /// - Parameter language: the text's language code, or `nil` for all languages. Entries of other
  ///   languages are ignored.
  func firstMatch(in text: String, language: String?) -> Match? {
    let words = Words(text)
    let base = language.map(SpokenLanguage.base(of:))
    for (range, number) in index.matches(in: words) {
      let entry = entries[number]
      guard base == nil || base == entry.language.rawValue, entry.isMeant(by: range, in: words)
      else { continue }
      let piece = words.piece(range)
      if piece.unicodeScalars.count <= Self.maximumPieceLength {
        return Match(entry: entry, piece: String(piece))
      }
    }
    return nil
  }
}
