import Testing

@testable import ProviderFakes

struct OfflineTranslatorTests {
  private let translator = OfflineTranslator()

  @Test(arguments: [
    ("Hello", "en", "it", "Ciao", "phrasebook"),
    ("Hello", "en-GB", "pt-BR", "Olá", "phrasebook"),
    ("Hello", "EN_us", "pt_PT", "Olá", "phrasebook"),
    ("Hello", "en", "ja", "⟦ja⟧ Hello", "pseudo"),
    ("Hello", "en", "zh-TW", "⟦zh-TW⟧ Hello", "pseudo"),
    ("See you at the docks", "en", "it", "⟦it⟧ See you at the docks", "pseudo"),
    ("Hello", "en", "en", "Hello", "identity"),
    ("Hello", "en-US", "en-GB", "Hello", "identity"),
    ("Anything at all", "pt-BR", "pt", "Anything at all", "identity"),
    ("😂😂", "en", "it", "😂😂", "identity"),
    ("19:30?", "en", "it", "19:30?", "identity"),
    ("", "en", "it", "", "identity"),
  ])
  func `the translation names its engine`(
    text: String,
    source: String,
    target: String,
    answer: String,
    engine: String
  ) async {
    let translation = await translator.translate(text, from: source, to: target)
    #expect(translation.text == answer)
    #expect(translation.engine == engine)
    #expect(translation.detectedSource == nil)
  }

  @Test(arguments: [
    ("Ciao", "it"), ("Good night", "en"), ("Gute Nacht! 🌙", "de"), ("xyzzy", "en"), ("", "en"),
    ("Привет, как дела?", "ru"), ("Γειά σου", "el"), ("שלום", "he"), ("مرحبا", "ar"),
    ("नमस्ते", "hi"), ("สวัสดี", "th"), ("안녕하세요", "ko"), ("こんにちは", "ja"),
    ("今日は会議があります", "ja"), ("你好", "zh"), ("Marco, ты где сейчас?", "ru"),
    ("My friend Саша", "en"), ("😊", "en"), ("\u{200F}", "en"),
  ])
  func `a missing source language is detected`(text: String, language: String) async {
    let translation = await translator.translate(text, from: nil, to: "xx")
    #expect(translation.detectedSource == language)
  }

  @Test func `without a phrasebook everything that needs a translation is marked`() async {
    let translator = OfflineTranslator(phrasebook: nil)
    #expect(translator.engines == ["pseudo"])
    let answers = await translator.translate(["Hello", "Ciao", "19:30"], from: "en", to: "it")
    #expect(answers.map(\.engine) == ["pseudo", "pseudo", "identity"])
    #expect(answers.map(\.text) == ["⟦it⟧ Hello", "⟦it⟧ Ciao", "19:30"])
    #expect(await translator.translate("Привет", from: nil, to: "it").detectedSource == "ru")
  }

  @Test func `a detected source language is used`() async {
    let translation = await translator.translate("In bocca al lupo!", from: nil, to: "en")
    #expect(translation.text == "Break a leg!")
    #expect(translation.engine == "phrasebook")
    #expect(translation.detectedSource == "it")
    let same = await translator.translate("Ciao", from: nil, to: "it-CH")
    #expect(same.engine == "identity")
  }

  @Test(arguments: ["it", "zh-Hant", "pt_BR", "mni-Mtei"])
  func `a pseudo-translation starts with its mark`(target: String) {
    for text in ["Hello", "", "\u{301}", "\0", "⟦it⟧ Hello"] {
      let marked = PseudoTranslation.translate(text, to: target)
      #expect(marked.utf8.elementsEqual("⟦\(target)⟧ \(text)".utf8))
    }
  }

  @Test(arguments: [
    "hi", "hello", "Hey", "test", "Test 123", "Hello world", "hello world!", "This is a test",
    "this is a test.", "How are you", "good morning", "what's up", "whats up?", "thanks", "thx",
    "ok", "yes", "no", "see you", "lol", "haha", "where are you", "who are you?", "me too",
    "good night", "bye", "sorry", "please", "I love you", "are you there?", "does it work?",
    "nice to meet you", "what time is it", "see you later", "omg", "wow", "yeah", "nope",
    "no worries", "what's your name?", "good, and you?",
  ])
  func `what people type first has a translation`(text: String) async {
    for target in ["es", "it", "fr", "pt", "de"] {
      let translation = await translator.translate(text, from: "en", to: target)
      #expect(translation.engine == "phrasebook", "\(text) in \(target)")
    }
  }

  @Test func `the examples are in the phrasebook`() async {
    #expect(translator.examples.keys.sorted() == ["de", "en", "es", "fr", "it", "pt"])
    for (source, texts) in translator.examples {
      #expect(texts.count >= 5)
      for text in texts {
        let translation = await translator.translate(
          text,
          from: source,
          to: source == "en" ? "it" : "en"
        )
        #expect(translation.engine == "phrasebook", "\(text)")
      }
    }
    #expect(OfflineTranslator(phrasebook: nil).examples.isEmpty)
  }

  @Test(arguments: [
    ("pseudo", true), ("phrasebook+pseudo", true), ("pseudo-glossary", true), ("phrasebook", false),
    ("pseudonym", false), ("", false),
  ])
  func `a text that was only marked is known by its engines`(engines: String, isMarked: Bool) {
    #expect(PseudoTranslation.isPart(of: engines) == isMarked)
  }

  @Test(.timeLimit(.minutes(10)), arguments: HostileText.allCases)
  func `hostile text is translated quickly and completely`(hostile: HostileText) async {
    let text = hostile.text
    for source in ["en", nil] {
      let translation = await translator.translate(text, from: source, to: "ko")
      let hasLetters = text.unicodeScalars.contains(where: \.properties.isAlphabetic)
      #expect(translation.engine == (hasLetters ? "pseudo" : "identity"))
      let isWhole = translation.text.utf8.elementsEqual((hasLetters ? "⟦ko⟧ \(text)" : text).utf8)
      #expect(isWhole)
    }
    #expect(Phrasebook.standard.detect(text) == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a long text of phrases is translated in full`() async {
    let text = String(repeating: "Hello! ", count: 20_000)
    let translation = await translator.translate(text, from: "en", to: "it")
    #expect(translation.text == String(repeating: "Ciao! ", count: 20_000))
  }
}

/// Texts that an attacker would send.
///
/// The tests' output has the names of the cases, not the texts.
enum HostileText: CaseIterable {
  case oneWord, manySentences, almostPhrases, spaces, spacesAndMarks, lines, marks, emoji, families
  case combiningMarks, directionMarks, nulls, phraseAndNull, directionMarkAndPhrase, columns, mark

  var text: String {
    switch self {
    case .oneWord: String(repeating: "a", count: 100_000)
    case .manySentences: String(repeating: "a. ", count: 100_000)
    case .almostPhrases: String(repeating: "Hello! ", count: 20_000) + "xyzzy"
    case .spaces: String(repeating: " ", count: 100_000)
    case .spacesAndMarks:
      String(repeating: " ", count: 50_000) + "x" + String(repeating: "! ", count: 50_000)
    case .lines: String(repeating: "\n", count: 100_000)
    case .marks: String(repeating: "!", count: 100_000)
    case .emoji: String(repeating: "😂", count: 100_000)
    case .families: String(repeating: "👨‍👩‍👧‍👦", count: 25_000)
    case .combiningMarks: "e" + String(repeating: "\u{301}\u{316}", count: 50_000)
    case .directionMarks: String(repeating: "\u{202E}\u{200F}", count: 50_000)
    case .nulls: String(repeating: "\0", count: 100_000)
    case .phraseAndNull: "Hello\0"
    case .directionMarkAndPhrase: "\u{200F}Hello"
    case .columns: "Hello | Ciao"
    case .mark: "⟦it⟧ Hello"
    }
  }
}
