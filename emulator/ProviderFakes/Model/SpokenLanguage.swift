/// A language that the rules speak, in the order of the columns of all tables.
enum SpokenLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case spanish = "es"
  case italian = "it"
  case french = "fr"
  case portuguese = "pt"
  case german = "de"

  /// The language of a code such as `it`, `pt-BR` or `de_AT`, whose base counts; nil for others.
  init?(code: String) {
    self.init(rawValue: Self.base(of: code))
  }

  /// What stands in front of script and region, in lower case.
  static func base(of code: String) -> String {
    let base = code.unicodeScalars.prefix(16).prefix { $0 != "-" && $0 != "_" }
    return String(String.UnicodeScalarView(base)).lowercased()
  }
}

/// A text in each language that the rules speak.
struct ParallelText: Sendable {
  private let columns: [String]

  init(
    english: String,
    spanish: String,
    italian: String,
    french: String,
    portuguese: String,
    german: String
  ) {
    columns = [english, spanish, italian, french, portuguese, german]
  }

  /// Reads columns separated by ` | `; nil unless there is one for each language, none empty.
  init?(line: some StringProtocol) {
    let columns = line.split(separator: " | ", omittingEmptySubsequences: false)
    guard columns.count == SpokenLanguage.allCases.count,
      columns.allSatisfy({ !Sentence(String($0)).core.isEmpty })
    else { return nil }
    self.columns = columns.map { String($0) }
  }

  subscript(language: SpokenLanguage) -> String {
    zip(SpokenLanguage.allCases, columns).first { $0.0 == language }?.1 ?? ""
  }

  /// The text with each `{name}` replaced by the value of that name.
  ///
  /// What a value says is never read as a name: a value may be what a stranger wrote.
  func filled(_ language: SpokenLanguage, _ values: [String: String]) -> String {
    let parts = self[language].split(separator: "{", omittingEmptySubsequences: false)
    var text = String(parts.first ?? "")
    for part in parts.dropFirst() {
      let pieces = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
      text += values[String(pieces.first ?? "")] ?? ""
      text += pieces.dropFirst().first ?? ""
    }
    return text
  }
}
