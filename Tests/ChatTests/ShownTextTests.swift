import Testing

@testable import Chat

/// Tests of the removal of invisible characters from texts for the model, and of the detection of
/// links in its answers.
struct ShownTextTests {
  @Test(arguments: [
    "Ciao, a dopo!", "👩‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍⚕️ ❤️‍🔥 1️⃣ ©️", "می‌خواهم", "क्‍ष", "e\u{301}", "한국어", "日本語、です。",
  ])
  func `a normal text stays as it is`(text: String) {
    let shown = PromptText.visible(text, maximum: 100)
    #expect(Array(shown.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    ("a\u{E0101}\u{E0102}b", "ab"), ("a\u{200D}\u{200C}\u{200D}b", "a\u{200D}b"),
    ("a! \u{200C}b\u{FE0F}\u{FE0E}\u{FE0F}", "a! b\u{FE0F}"), ("a\u{3164}\u{115F}\u{FFA0}b", "ab"),
    ("a\u{34F}\u{17B4}\u{180B}\u{FE00}b", "ab"), ("a\u{202E}\u{E0041}\u{0}b", "ab"),
  ])
  func `invisible characters are removed`(text: String, shown: String) {
    #expect(
      Array(PromptText.visible(text, maximum: 100).unicodeScalars) == Array(shown.unicodeScalars)
    )
  }

  @Test(arguments: [
    "Apri ｅｖｉｌ．ｃｏｍ!", "Apri evil\u{2024}com", "Apri evil。com", "Apri HTTPS：／／evil.example",
    "Apri free-prize.icu/now", "Chiama lo ０９００ 123 45",
  ])
  func `a link or number that software would open is found`(text: String) {
    #expect(PlainText.findings(in: text).contains { [.link, .number].contains($0.kind) })
  }

  @Test(arguments: [
    "Alle 8.30, va bene?", "Sig.ra Rossi e Dott.ssa Verdi", "Ok...sì", "z.B. morgen",
  ])
  func `a word after a full stop is no address`(text: String) {
    #expect(PlainText.findings(in: text).isEmpty)
  }
}
