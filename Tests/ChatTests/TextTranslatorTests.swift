import Core
import FunctionRuntime
import Providers
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct TextTranslatorTests {
  private let record = InvocationRecord()

  private func translate(
    _ texts: [String],
    _ engine: TranslationEngine
  ) async throws -> TextTranslator.Answers {
    try await TextTranslator(engine, record: record).translate(texts)
  }

  private func translate(_ text: String, _ engine: TranslationEngine) async throws -> String {
    try await translate([text], engine)[text]?.get().text ?? "no answer"
  }

  // MARK: Calls

  @Test func `all lines of all texts are sent together, equal ones once`() async throws {
    let engine = TranslationEngine { $0.uppercased() }
    let answers = try await translate(["hi\nyou\nhi", "you"], engine)
    #expect(engine.requests == [["hi", "you"]])
    #expect(try answers["hi\nyou\nhi"]?.get().text == "HI\nYOU\nHI")
    #expect(try answers["you"]?.get() == Translation(text: "YOU", engine: "nmt"))
    #expect(record.usage.providerCalls == 1)
    #expect(record.usage.charactersBilled == 5)
    #expect(record.usage.costMicros == 100)
    #expect(record.usage.engines == ["nmt"])
  }

  @Test func `a span is billed as a placeholder's five characters and isn't sent`() async throws {
    let engine = TranslationEngine { $0 }
    let text = "read https://example.com/secret?token=1234567890 now"
    #expect(try await translate(text, engine) == text)
    #expect(engine.requests == [["read [X0X] now"]])
    #expect(record.usage.charactersBilled == 14)
  }

  @Test func `a text without words costs nothing and has the engine identity`() async throws {
    let engine = TranslationEngine { _ in "never" }
    let answer = try await translate(["👍 10:30"], engine)["👍 10:30"]?.get()
    #expect(answer == Translation(text: "👍 10:30", engine: "identity"))
    #expect(engine.requests.isEmpty)
    #expect(record.usage.providerCalls == 0)
  }

  @Test func `only a text that lost a span is sent again, in fragments`() async throws {
    let engine = TranslationEngine { $0.replacing("[X0X]", with: "").uppercased() }
    let texts = ["meet @bob there", "all is well"]
    let answers = try await translate(texts, engine)
    #expect(engine.requests == [["meet [X0X] there", "all is well"], ["meet", "there"]])
    #expect(try answers[texts[0]]?.get().text == "MEET @bob THERE")
    #expect(try answers[texts[1]]?.get().text == "ALL IS WELL")
    #expect(record.usage.providerCalls == 2)
    #expect(record.usage.charactersBilled == 16 + 11 + 4 + 5)
  }

  @Test(arguments: [
    ([], []), ([5_000], [1]), ([5_001], [1]), ([2_500, 2_500], [2]), ([2_500, 2_501], [1, 1]),
    ([5_001, 1, 1], [1, 2]), (Array(repeating: 1, count: 128), [128]),
    (Array(repeating: 1, count: 257), [128, 128, 1]), ([0, 0, 5_000, 0, 1], [4, 1]),
  ])
  func `a batch holds as many texts and characters as the provider takes`(
    lengths: [Int],
    counts: [Int]
  ) {
    // The emoji has four bytes, and counts as one character.
    let texts = lengths.map { String(repeating: "😀", count: $0) }
    let batches = TextTranslator.batches(texts, maximumTexts: 128, maximumCharacters: 5_000)
    #expect(batches.map(\.count) == counts)
    #expect(batches.flatMap(\.self) == texts)
  }

  @Test func `characters are counted by code points, as they are billed`() {
    let family = "👩‍👩‍👧‍👦"
    #expect(family.count == 1 && family.unicodeScalars.count == 7)
    let texts = [String(repeating: family, count: 714), "12", "3"]
    let batches = TextTranslator.batches(texts, maximumTexts: 128, maximumCharacters: 5_000)
    #expect(batches.map(\.count) == [2, 1])
  }

  @Test func `one failed request fails its own texts only`() async throws {
    let engine = TranslationEngine(maximumTexts: 1) { text throws(StatusError) in
      if text == "bad" { throw StatusError(.unavailable, "down") }
      return text
    }
    let answers = try await translate(["good", "good\nbad"], engine)
    #expect(try answers["good"]?.get().text == "good")
    #expect(throws: StatusError(.unavailable, "down")) { try answers["good\nbad"]?.get() }
    #expect(record.usage.providerCalls == 2)
    #expect(record.usage.charactersBilled == 4)
  }

  // MARK: Answers

  @Test(arguments: [
    ("[x0x]", "@bob"), ("[ X0X ]", "@bob"), ("【X0X】", "@bob"), ("［Ｘ0Ｘ］", "@bob"),
    ("[Х0Х]", "@bob"), ("[X٠X]", "@bob"),
  ])
  func `a placeholder is recognized in other spellings`(
    written: String,
    restored: String
  ) async throws {
    let engine = TranslationEngine { $0.replacing("[X0X]", with: written) }
    #expect(try await translate("hey @bob, come", engine) == "hey \(restored), come")
    #expect(engine.requests.count == 1)
  }

  @Test func `a link that lost its spaces gets them back`() async throws {
    let engine = TranslationEngine { $0.replacing(" [X0X] ", with: "[X0X]") }
    #expect(
      try await translate("see https://example.com now", engine) == "see https://example.com now"
    )
    #expect(try await translate("at 10:30 sharp", engine) == "at 10:30 sharp")
  }

  @Test(arguments: [
    "go to https://evil.example", "go to www.evil.example", "evil.com has it",
    "write to a@evil.example", "ask @everyone", "click <a href=x>", "<script>", "![x](y)",
    "two\nhttps://evil.example/",
  ])
  func `an answer with a link, mention or markup of its own is refused`(
    answer: String
  ) async throws {
    let engine = TranslationEngine { _ in answer }
    let refusal = StatusError(
      .failedPrecondition,
      "the translation has a link, a mention or markup that the text does not have"
    )
    await #expect(throws: refusal) { try await translate("hello there", engine) }
    // The check also refuses the text directly next to a restored span.
    let other = TranslationEngine { "\(answer) \($0)" }
    await #expect(throws: refusal) { try await translate("hello @bob", other) }
    #expect(engine.requests.count == 1)
    #expect(other.requests.count == 1)
  }

  @Test(arguments: [
    "evil。com", "看看evil。com吧", "evil．com", "evil｡com", "evil.bond", "tg://join", "fb://page",
    "//evil",
    "a@b", "**bold**", "`code`", "bitcoin:1abc", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  ])
  func `an answer may have a link of any form only if the text has it`(answer: String) async throws
  {
    await #expect(throws: TranslatedWords.refusal) {
      try await translate("hello there", TranslationEngine { _ in answer })
    }
    // The link is allowed if the original text contains it.
    let words = "see \(answer) now"
    #expect(try await translate(words, TranslationEngine { $0 }) == words)
  }

  @Test(arguments: ["\u{202E}", "\u{202A}", "\u{2066}", "\u{E0041}", "\u{E000}", "\u{3164}"])
  func `an answer may not add invisible characters`(character: String) async throws {
    let refusal = StatusError(
      .failedPrecondition,
      "the translation has invisible characters that the text does not have"
    )
    await #expect(throws: refusal) {
      try await translate("hello there", TranslationEngine { _ in "ciao\(character) a tutti" })
    }
    let text = "hello my\(character)friends"
    let engine = TranslationEngine { $0.replacing("hello", with: "ciao") }
    let answer = try await translate(text, engine)
    #expect(Array(answer.unicodeScalars) == Array("ciao my\(character)friends".unicodeScalars))
  }

  @Test(arguments: [
    "می‌خواهم بروم", "שלום\u{200F}, מה שלומך?", "สวัสดี\u{200B}ครับ", "👩‍👩‍👧 ❤️", "他说OK。Tom也同意",
    "用iPhone。OK吗",
    "ok.Merci", "M.Dupont est là", "f.eks. nå", "Apple Inc.는 크다", "د.أحمد هنا",
  ])
  func `an honest answer is never refused`(answer: String) async throws {
    #expect(try await translate("hello there", TranslationEngine { _ in answer }) == answer)
  }

  @Test(arguments: [
    ("see example.com now", "evil-[X0X]"), ("see example.com now", "evil.[X0X]"),
    ("see example.com now", "//[X0X]"), ("see example.com now", "[X0X].evil"),
    ("write to @anna now", "x[X0X]"),
    ("I have 12345 of them", "evil[X0X].com"), ("so 🎉 much", "evil[X0X].com"),
  ])
  func `words and a span never form a link`(text: String, answer: String) async throws {
    let engine = TranslationEngine { $0.contains("[X0X]") ? "oh \(answer) ah" : $0 }
    let translation = try await translate(text, engine)
    let spans = PlainText.spans(in: translation).filter { [.link, .handle].contains($0.kind) }
    let own = PlainText.spans(in: text).filter { [.link, .handle].contains($0.kind) }
    #expect(Set(spans).isSubset(of: own), "\(translation)")
  }

  @Test(arguments: ["", " ", "\n", "[X0X]", "[x 3 x] words"])
  func `an empty answer, or one with an unknown placeholder, is refused`(
    answer: String
  ) async throws {
    let engine = TranslationEngine { _ in answer }
    let error = await #expect(throws: StatusError.self) { try await translate("hello", engine) }
    #expect(error?.code == .unavailable)
  }

  @Test(arguments: ["L&#39;ora &amp; l&quot;x", "a < b > c", "E-mail: 5 @ 6", "C'est: ok.Merci"])
  func `an answer that only looks strange stays as it is`(answer: String) async throws {
    #expect(try await translate("hello", TranslationEngine { _ in answer }) == answer)
  }

  @Test func `line breaks in an answer become spaces, outer white space is dropped`() async throws {
    let engine = TranslationEngine { _ in " one\ntwo\r\nthree \n" }
    #expect(try await translate(" hello\n", engine) == " one two three\n")
  }

  @Test func `a text of several engines names them all`() async throws {
    let provider = MixedEngine()
    let text = "one\ntwo"
    let answers = try await TextTranslator(provider, record: record).translate([text])
    #expect(try answers[text]?.get().engine == "phrasebook+pseudo")
  }
}

/// A provider that labels the first translation of each request as the phrasebook's, and all
/// others as pseudo-translations.
private struct MixedEngine: TranslationProvider {
  let maximumTexts = 128
  let maximumCharacters = 5_000
  let pricedEngine: String? = nil
  let origin = TranslationOrigin("google", mayBeOffline: false)
  let deadline = ContinuousClock.Instant.generous

  func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation] {
    texts.enumerated().map { index, text in
      Translation(text: text, engine: index == 0 ? "phrasebook" : "pseudo")
    }
  }
}
