/// A language that the rules support. The cases have the order of the tables' columns.
enum SpokenLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case spanish = "es"
  case italian = "it"
  case french = "fr"
  case portuguese = "pt"
  case german = "de"

  /// Creates the language of a code such as `it`, `pt-BR` or `de_AT`, or returns `nil` for other
  /// codes. Only the base of the code matters.
  init?(code: String) {
    self.init(rawValue: Self.base(of: code))
  }

  /// Returns the part of a code before script and region, in lower case.
  static func base(of code: String) -> String {
    let base = code.unicodeScalars.prefix(16).prefix { $0 != "-" && $0 != "_" }
    return String(String.UnicodeScalarView(base)).lowercased()
  }
}

/// A text in every language that the rules support.
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

  /// Parses columns separated by ` | `, or returns `nil` if a language's column is missing or
  /// empty.
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

  /// Returns the text with each `{name}` replaced by the value of that name.
  ///
  /// Braces in values have no effect, because a value may be untrusted text.
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
