/// A language that a text may be in, because a participant of its conversation uses it.
struct ExpectedLanguage {
  /// The language's code as the caller wrote it.
  let code: String
  /// The language's scripts; empty for an unknown language.
  let scripts: Set<Script>
  /// The language's index in `CommonWords.languages`, or `nil` if it has no table.
  let table: Int?

  init(_ code: String) {
    let base = LanguageDetector.subtags(of: code).first ?? ""
    self.code = code
    scripts = Script.scripts(of: base) ?? []
    table = CommonWords.languages.firstIndex(of: base)
  }
}
