import Testing

@testable import Chat

/// Ordinary texts of models and translators, which the checks must neither refuse nor change.
@Suite(.timeLimit(.minutes(10)))
struct HonestTextTests {
  @Test(arguments: HonestTexts.written)
  func `a sentence of any language is plain text`(text: String) throws {
    #expect(PlainText.findings(in: text) == [], "\(text)")
    #expect(PromptText.hidden(in: text.filter { $0 != "\n" }) == [], "\(text)")
  }

  @Test(arguments: HonestTexts.written)
  func `a sentence of any language can be a translation`(text: String) throws {
    let line = text.replacing("\n", with: " ")
    #expect(try TranslatedWords.checked(line, of: "Hello there") == line)
  }

  @Test func `stored honest texts are plain text except for what they mention`() throws {
    let texts = try HonestTexts.stored()
    #expect(texts.count > 3_500)
    for text in texts {
      let findings = PlainText.findings(in: text).filter { $0.kind != .handle }
      #expect(findings == [], "\(text)")
      #expect(PromptText.hidden(in: text) == [], "\(text)")
      _ = try TranslatedWords.checked(text, of: text)
    }
  }
}
