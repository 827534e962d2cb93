/// A language that a text may be in, by what is known of the people around it.
struct ExpectedLanguage {
  /// As the caller wrote it.
  let code: String
  /// Empty for a language that is not known here.
  let scripts: Set<Script>
  /// Its place in `CommonWords.languages`; nil if it has no table.
  let table: Int?

  init(_ code: String) {
    let base = LanguageDetector.subtags(of: code).first ?? ""
    self.code = code
    scripts = Script.scripts(of: base) ?? []
    table = CommonWords.languages.firstIndex(of: base)
  }
}
