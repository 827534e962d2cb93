import Testing

@testable import ProviderFakes

/// The differences between a text and a phrase that a lookup ignores, and those that it doesn't.
struct PhrasebookMatchingTests {
  private let book = Phrasebook.standard

  @Test(arguments: [
    ("Hey, let's meet for coffee tomorrow!", "Ehi, incontriamoci per un caffè domani!"),
    (
      "Break a leg at your interview tomorrow!", "In bocca al lupo per il colloquio di domani!"
    ),
    ("Break a leg!", "In bocca al lupo!"),
    ("Hello", "Ciao"),
  ])
  func `messages in the documentation have the translations shown there`(
    text: String,
    italian: String
  ) {
    #expect(book.translate(text, from: "en", to: "it") == italian)
  }

  @Test(arguments: [
    ("see you tomorrow!", "A domani!"),
    ("SEE YOU TOMORROW!", "A domani!"),
    ("  See you tomorrow!\n", "  A domani!\n"),
    ("See you tomorrow", "A domani!"),
    ("See you tomorrow.", "A domani!"),
    ("See you tomorrow!!", "A domani!"),
    ("See you tomorrow…", "A domani!"),
    ("See you tomorrow...", "A domani!"),
    ("How are you", "Come stai?"),
    ("How are you??", "Come stai?"),
    ("How are you ?", "Come stai?"),
    ("How’s it going?", "Come va?"),
    ("Hey, let’s meet for coffee tomorrow 😊", "Ehi, incontriamoci per un caffè domani! 😊"),
    ("Thanks!❤️", "Grazie!❤️"),
    ("Thanks 👨‍👩‍👧‍👦🇮🇹👍🏽", "Grazie 👨‍👩‍👧‍👦🇮🇹👍🏽"),
    ("🎉 Congratulations! 🎉", "🎉 Congratulazioni! 🎉"),
    ("Good morning! 🌈", "Buongiorno! 🌈"),
  ])
  func `small differences in typing are ignored`(text: String, italian: String) {
    #expect(book.translate(text, from: "en", to: "it") == italian)
  }

  @Test(
    arguments: [
      ("es", "como estas?", nil), ("es", "cómo estás?", "How are you?"),
      ("es", "hola!", "Hello!"), ("fr", "ça va?", "How's it going?"),
      ("fr", "Ça va\u{202F}?", "How's it going?"), ("fr", "J’ARRIVE !", "I'm on my way!"),
      ("it", "Si\u{300}", "Yes"), ("it", "Sì", "Yes"),
      ("it", "e\u{300} un peccato", "That's a shame."),
      ("de", "tschu\u{308}ss", "Bye!"), ("de", "SCHÖNES FOTO", "Nice photo!"),
      ("pt", "não sei", "I don't know."),
    ] as [(String, String, String?)]
  )
  func `differences specific to a language are ignored`(
    language: String,
    text: String,
    english: String?
  ) {
    #expect(book.translate(text, from: language, to: "en") == english)
  }

  @Test(
    arguments: [
      ("Hello! How are you?", "Ciao! Come stai?"),
      ("Hi!  I'm running late.\n\nWait for me!", "Ciao!  Sono in ritardo.\n\nAspettami!"),
      ("Thanks! 😊 See you tomorrow!", "Grazie! 😊 A domani!"),
      ("Thanks!😊 See you tomorrow! 😊", "Grazie!😊 A domani! 😊"),
      ("Hello\r\nHow are you\r\n", "Ciao\r\nCome stai?\r\n"),
      ("Hello!\n😂😂\nGood night!", "Ciao!\n😂😂\nBuonanotte!"),
      ("Hmm", nil),
      ("Hello! My hovercraft is full of eels.", nil),
      ("My hovercraft is full of eels. Hello!", nil),
      ("Hello! Hello Marco!", "Ciao! Ciao, Marco!"),
      ("Hello! Hello hovercraft!", nil),
      ("Hello How are you?", nil),
      ("See you tomorrow?", nil),
      ("How are you!", nil),
      ("See you tomorrow!!!", nil),
      ("good", nil), ("", nil), (" ", nil), ("?", nil), ("😂", nil), ("\n\n", nil),
    ] as [(String, String?)]
  )
  func `a text is translated completely or not at all`(text: String, italian: String?) {
    #expect(book.translate(text, from: "en", to: "it") == italian)
  }

  @Test(arguments: [
    ("Thank you!", "Grazie!"), ("Thanks!", "Grazie!"),
    ("Of course!", "Certo!"), ("Sure!", "Certo!"),
  ])
  func `for a shared translation the first phrase in the book is the way back`(
    english: String,
    italian: String
  ) throws {
    #expect(book.translate(english, from: "en", to: "it") == italian)
    let first = try #require(book.phrases.first { $0[2] == italian })
    #expect(book.translate(italian, from: "it", to: "en") == first[0])
  }

  @Test(
    arguments: [
      ("OK", "en"), ("ok", "en"), ("No", "en"), ("Hello! How are you?", "en"),
      ("¿Cómo estás?", "es"), ("como siempre", "es"),
      ("Ehi, incontriamoci per un caffè domani!", "it"),
      ("Ciao! No.", "it"), ("Merci beaucoup", "fr"), ("Vamos!", "pt"), ("¡Vamos!", "es"),
      ("Lass dir Zeit. 😊", "de"), ("Ciao! Hallo!", nil), ("Wąż", nil), ("", nil), ("😊", nil),
    ] as [(String, String?)]
  )
  func `a text is in the language whose column contains it`(text: String, language: String?) {
    #expect(book.detect(text) == language)
  }

  @Test(arguments: [("en", "ja"), ("ja", "en"), ("", ""), ("EN", "it"), ("en", "pt-BR")])
  func `a language without a column has no translations`(source: String, target: String) {
    #expect(book.translate("Hello", from: source, to: target) == nil)
  }

  @Test(arguments: [
    "Hello", " Hello! \n", "😊 Hi 😊", "😊", " ", "", "a. b! c? d… e", "Hi!\r\n\r\nHi",
    "\u{301}Hi \u{301}",
    "Hi!\u{2028}Hi", "\0", "\u{200F}Hi", "1️⃣ Hi ‼️",
  ])
  func `the parts of a text's sentences add up to the text`(text: String) {
    let parts = Sentence.sentences(of: text).map { $0.before + $0.core + $0.after }
    #expect(Array(parts.joined().unicodeScalars) == Array(text.unicodeScalars))
  }
}
