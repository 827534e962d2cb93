import LanguageDetection
import Testing

/// Detection with the languages of a conversation's members as a hint.
struct ExpectedLanguagesTests {
  @Test(
    arguments: [
      ("Va bene", ["it", "en"], "it"), ("te amo", ["es", "en"], "es"),
      ("te amo", ["pt-BR", "es"], "pt-BR"), ("que tal", ["es", "pt"], "es"),
      ("See you tomorrow!", ["it", "en-GB"], "en-GB"), ("Danke dir", ["it", "en", "de"], "de"),
      ("大丈夫", ["ja", "en"], "ja"), ("明天见", ["ja", "zh-Hant"], "zh-Hant"),
      ("Як справи?", ["uk", "ru"], "uk"), ("Как дела?", ["en", "ru"], "ru"),
      ("kal milte hain", ["hi", "en"], "hi"),
      ("Mañana no puedo ir a tu casa, lo siento", ["it", "en"], "es"),
      ("Спасибо", ["it", "en"], "ru"),
      ("Jeg kommer hjem nu, vi ses i morgen", ["da", "en"], nil),
      ("See you at the station tomorrow", ["da", "en"], "en"),
      ("😂", ["it"], nil), ("19:30", ["it"], nil), ("", ["it"], nil), ("OK", ["it"], nil),
      ("Ciao a tutti", [""], "it"), ("Ciao a tutti", ["xx", "-"], "it"),
    ] as [(String, [String], String?)]
  )
  func `in doubt a text is in a member's language, the writer's before others'`(
    text: String,
    expected: [String],
    language: String?
  ) {
    #expect(LanguageDetector.detect(text, expected: expected) == language)
  }
}
