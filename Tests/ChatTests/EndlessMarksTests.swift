import Core
import FirestoreModel
import FunctionRuntime
import LanguageDetection
import Providers
import TestKit
import Testing

@testable import Chat

/// Texts with thousands of combining marks that aren't in canonical order.
///
/// Comparing them as `String` or `Character` takes quadratic time. The functions must return the
/// right results in time.
@Suite(.timeLimit(.minutes(10)))
struct EndlessMarksTests {
  /// The maximum number of combining marks in a translatable text.
  private static let marks = String(repeating: "\u{301}\u{316}", count: 4_000)
  static let texts = [
    "e" + marks, marks, "a e" + marks + " b", "5" + marks, "[" + marks + "X0X]", "👍" + marks,
    String(repeating: "\u{5B4}\u{5B0}", count: 5_000), "@anna" + marks, "[P1" + marks + "]",
    "https://example.com/" + marks,
  ]

  private let hello = "hello there"

  @Test(arguments: texts.indices)
  func `a model's text with many marks is read and refused`(index: Int) throws {
    let text = Self.texts[index]
    let template = Prompt.Template(
      name: "sample",
      version: 1,
      instructions: "Answer what you are asked, and nothing else than that, please.",
      output: .object(["text": .string(maximumLength: 100)]),
      maximumOutputTokens: 10
    )
    let checks = ModelText(
      try Prompt(template, input: ["text": text]),
      said: [text, hello],
      quotesInput: true,
      namesPeople: true
    )
    func problem(_ text: String) throws -> String? {
      checks.problem(with: text, name: "it", in: try Language("en"), maximum: .max)
    }
    #expect(try problem("Well: \(text) \u{202E}") != nil)
    #expect(try problem("Well, \(hello) again") == nil)
    #expect(ModelText.settled(text + "\n").utf8.elementsEqual(text.utf8))
    #expect(!PlainText.findings(in: text).isEmpty)
    #expect(
      SaidText([text], kinds: [.symbol]).contains(.init(kind: .symbol, span: ["\u{316}"]))
        == text.unicodeScalars.contains("\u{316}")
    )
  }

  @Test(arguments: texts.indices)
  func `names and words are found next to many marks`(index: Int) throws {
    let text = Self.texts[index]
    let profiles = [
      "u": UserProfile(try ChatDocuments.user("u", ["displayName": "Anna"])),
      "v": UserProfile(try ChatDocuments.user("v", ["displayName": .string(text)])),
    ]
    let aliases = Aliases(["u", "v"], profiles: profiles)
    #expect(aliases.mentions(in: "\(text) Anna").map(\.person).last == "P1")
    let shown = aliases.showingNames(in: "[P1] \(text)", about: [text])
    #expect(shown.utf8.starts(with: "Anna ".utf8))
    #expect(aliases.knowsEverybody(in: "[P1] [P2] \(text)", about: [text]))
    #expect(FoldedWords.words(of: "\(text) hello").last == "hello")
    #expect(SearchTerms.terms(of: "\(text) hello").last == "hello")
    #expect(WordRuns("\(text) so it is").runs(of: 3).count >= 1)
    #expect(PromptNames.found(in: "\(text) P7", includingPeople: true).contains("P7"))
  }

  @Test(arguments: texts.indices)
  func `a text with many marks is translated`(index: Int) async throws {
    let text = Self.texts[index]
    let engine = TranslationEngine { $0 }
    let translator = try TextTranslator(engine)
    let answers = await translator.translate([text, text + " hello", hello])
    for text in [text, text + " hello", hello] {
      #expect(try answers[text]?.get().text.utf8.elementsEqual(text.utf8) == true)
    }
    let (english, italian) = (try Language("en"), try Language("it"))
    let one = Translator.Request(text, from: english, to: italian)
    let other = Translator.Request(text + "x", from: english, to: italian)
    #expect(Set([one, other, one]).count == 2)
    #expect(try TranslatedWords.checked(text, of: text).utf8.elementsEqual(text.utf8))
    #expect(Translator.hasWords(text + " hello"))
  }

  @Test(arguments: texts.indices)
  func `a language is detected next to many marks`(index: Int) {
    let text = Self.texts[index]
    #expect(LanguageDetector.detect("Where are you?", expected: [text, "en"]) == "en")
    _ = LanguageDetector.detect(text)
    #expect(!LanguageDetector.contradicts("Where are you going?", language: text))
  }

  @Test func `texts that only look alike count as two`() throws {
    let (english, italian) = (try Language("en"), try Language("it"))
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    #expect(texts[0] == texts[1])
    #expect(Set(texts.map { Translator.Request($0, from: english, to: italian) }).count == 2)
  }
}
