import Core
import Testing

@testable import Chat

struct LanguageTests {
  @Test(arguments: [
    ("en", "en", "en"), ("IT", "it", "it"), ("PT-br", "pt-BR", "pt"), ("pt_PT", "pt-PT", "pt"),
    ("zh-hant", "zh-Hant", "zh"), ("ZH_HANS_cn", "zh-Hans-CN", "zh"), ("zh-TW", "zh-TW", "zh"),
    ("es-419", "es-419", "es"), ("sr-latn", "sr-Latn", "sr"), ("mni-mtei", "mni-Mtei", "mni"),
    ("ceb", "ceb", "ceb"), ("HAW", "haw", "haw"), ("hmn", "hmn", "hmn"),
    ("he", "he", "he"), ("iw", "he", "he"), ("IW-il", "he-IL", "he"), ("jw", "jv", "jv"),
    ("tl", "fil", "fil"), ("fil-PH", "fil-PH", "fil"), ("nb-NO", "no-NO", "no"), ("no", "no", "no"),
    ("in", "id", "id"), ("ji", "yi", "yi"), ("zh_CN", "zh-CN", "zh"),
  ])
  func `a known code is brought into its canonical form`(
    text: String,
    code: String,
    base: String
  ) throws {
    let language = try Language(text)
    #expect(language.code == code)
    #expect(language.base == base)
    #expect(language.description == code)
    #expect(try Language(code) == language)
  }

  @Test(arguments: [
    "", "e", "en-", "-en", "en--US", "en__US", "-", "_", "auto", "und", "xx", "klingon", "english",
    "en US", " en", "en ", "en\n", "en-USA", "en-U", "en-US-US", "en-Latn-Latn", "en-US-Latn",
    "en-12", "en-1234", "en-US-x-private", "ën", "ｅｎ", "en-ＵＳ", "e\u{301}n", "en-٤١٩",
    "en-1\u{301}23", "\u{212A}k", "ﬁ", "en|it",
    "it/../../x", "en-Lаtn",
  ])
  func `an unknown code is refused by name`(text: String) {
    let printable = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" }))
    let refusal = StatusError(.invalidArgument, "unknown language code \"\(printable)\"")
    #expect(throws: refusal) { try Language(text) }
  }

  @Test(arguments: [
    HostileCode("long", String(repeating: "x", count: 40), String(repeating: "x", count: 35)),
    HostileCode(
      "endless",
      String(repeating: "en-", count: 100_000),
      "en-en-en-en-en-en-en-en-en-en-en-en"
    ),
    HostileCode(
      "one endless character",
      "e" + String(repeating: "\u{301}", count: 100_000),
      "e" + String(repeating: "\u{301}", count: 34)
    ),
    HostileCode("nulls", String(repeating: "\0", count: 100_000), ""),
    HostileCode("terminal codes", "a\u{1B}[31m\r\n\u{202E}b\u{2028}\u{85}c", "a[31mbc"),
  ])
  func `a refusal quotes at most 35 characters and nothing invisible`(code: HostileCode) {
    let refusal = StatusError(.invalidArgument, "unknown language code \"\(code.quoted)\"")
    #expect(throws: refusal) { try Language(code.text) }
  }

  @Test func `every known language is valid, and every alias names one`() throws {
    #expect((130...200).contains(Language.knownBases.count))
    for base in Language.knownBases {
      #expect(try Language(base).code == base)
    }
    for (alias, base) in Language.aliases {
      #expect(try Language(alias).code == base)
      #expect(!Language.knownBases.contains(alias))
    }
  }

  @Test func `spellings of one language are equal`() throws {
    let spellings = try Set(["pt-BR", "PT_br", "pt-br"].map { text in try Language(text) })
    #expect(spellings.count == 1)
  }
}

/// An invalid language code. The tests' output has its name instead of the code.
struct HostileCode: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String
  let quoted: String

  init(_ name: String, _ text: String, _ quoted: String) {
    self.testDescription = name
    self.text = text
    self.quoted = quoted
  }
}
