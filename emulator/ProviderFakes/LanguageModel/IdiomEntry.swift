import Core

/// An expression whose literal meaning may mislead a reader of another language.
///
/// The form of a record:
/// ```
/// en idiom high: break a leg
///   unless after: to, could
///   unless before: of
///   means: good luck | buena suerte | buona fortuna | bonne chance | boa sorte | viel Glück
///   like: - | mucha mierda | in bocca al lupo | merde | - | Hals- und Beinbruch
/// ```
/// The first line has the language, type, relevance and forms, separated by ` / `; `{me,you}` in a
/// form means either word. Next to a word of an `unless` line, the form is meant literally; these
/// lines are optional. `means` explains the expression in all languages. `like` has each language's
/// equivalent, or `-` if there is none.
struct IdiomEntry: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case idiom, culturalReference, formality, slang
  }

  enum Relevance: String, Sendable {
    case high, medium, low
  }

  let language: SpokenLanguage
  let kind: Kind
  let relevance: Relevance
  let forms: [String]
  let meaning: ParallelText
  private let equivalents: ParallelText
  private let literalAfter: Set<String>
  private let literalBefore: Set<String>

  /// Parses a record, or returns `nil` if it is malformed.
  init?(record: String) {
    let lines = record.split(separator: "\n").map { Sentence(String($0)).core }
    let parts = (lines.first ?? "").split(separator: ": ", maxSplits: 1)
    let labels = (parts.first ?? "").split(separator: " ").map(String.init)
    guard labels.count == 3, parts.count == 2,
      let language = SpokenLanguage(rawValue: labels[0]), let kind = Kind(rawValue: labels[1]),
      let relevance = Relevance(rawValue: labels[2])
    else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let field = line.split(separator: ": ", maxSplits: 1).map(String.init)
      guard field.count == 2, fields.updateValue(field[1], forKey: field[0]) == nil else {
        return nil
      }
    }
    let forms = parts[1].components(separatedBy: " / ").flatMap(Self.expanded)
    guard let meaning = ParallelText(line: fields["means"] ?? ""),
      let equivalents = ParallelText(line: fields["like"] ?? ""),
      forms.allSatisfy({ !Words.folded($0).isEmpty && !$0.contains { "{}".contains($0) } }),
      Set(fields.keys).isSubset(of: ["means", "like", "unless after", "unless before"])
    else { return nil }
    self.language = language
    self.kind = kind
    self.relevance = relevance
    self.forms = forms
    self.meaning = meaning
    self.equivalents = equivalents
    literalAfter = Set(Words.folded(fields["unless after"] ?? ""))
    literalBefore = Set(Words.folded(fields["unless before"] ?? ""))
  }

  /// Returns the equivalent expression in another language, capitalized, or `nil` if there is none.
  func equivalent(in language: SpokenLanguage) -> String? {
    let equivalent = equivalents[language]
    guard equivalent != "-", language != self.language, let first = equivalent.first else {
      return nil
    }
    return first.uppercased() + equivalent.dropFirst()
  }

  /// Returns a Boolean value that indicates whether the neighboring words allow the figurative
  /// meaning.
  func isMeant(by range: Range<Int>, in text: Words) -> Bool {
    if range.lowerBound > 0, text.words[range.lowerBound].isJoined,
      literalAfter.contains(text.words[range.lowerBound - 1].folded)
    {
      return false
    }
    guard range.upperBound < text.words.count else { return true }
    let next = text.words[range.upperBound]
    return !(next.isJoined && literalBefore.contains(next.folded))
  }

  /// Returns the variants of a form: `pull my leg` and `pull your leg` for `pull {my,your} leg`.
  private static func expanded(_ form: String) -> [String] {
    guard let open = form.firstIndex(of: "{"), let close = form[open...].firstIndex(of: "}") else {
      return [form]
    }
    let choices = form[form.index(after: open)..<close].split(separator: ",")
    let rest = form[form.index(after: close)...]
    return choices.flatMap { expanded(String(form[..<open] + $0 + rest)) }
  }
}
