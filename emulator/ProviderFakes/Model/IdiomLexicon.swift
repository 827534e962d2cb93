import Core

/// Idioms, slang, cultural references and set courtesies of six languages, with what they mean.
///
/// Stands in for what a language model knows. It prefers to miss an idiom over seeing one in
/// words that mean what they say.
struct IdiomLexicon: Sendable {
  /// The lexicon that comes with the emulator, read at first use.
  static let standard = IdiomLexicon(tables: tables)

  static let tables = [
    englishSayings, englishActions, englishFeelings, englishProverbs, englishSlang,
    englishCulture, romance, german,
  ]

  let entries: [IdiomEntry]

  /// Records that could not be read. The lexicon does without them.
  let malformedRecords: [String]

  private let index: PhraseIndex<Int>

  /// Reads tables of records with an empty line between them; `IdiomEntry` says what a record is.
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
    /// As it is written in the text.
    let piece: String
  }

  /// A piece much longer than its form is padded with marks that nobody sees.
  private static let maximumPieceLength = 120

  /// The first entry that the text has; of several at one place the longest.
  ///
  /// - Parameter language: the text's language code; entries of other languages aren't looked at.
  ///   nil looks at all.
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
