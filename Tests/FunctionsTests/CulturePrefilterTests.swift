import Chat
import Core
import FunctionRuntime
import Testing

@testable import analyzeMessage

struct CulturePrefilterTests {
  private func filter(_ value: String? = nil) throws -> CulturePrefilter {
    var environment: [String: String] = [:]
    environment["ANALYSIS_PREFILTER"] = value
    return try CulturePrefilter(Configuration(environment: environment))
  }

  @Test(arguments: [
    ("en", "Break a leg at your interview tomorrow!"), ("en", "THE CAT'S OUT OF THE BAG"),
    ("en", "she'd let the cat — sorry! — out of the bag"), ("it", "In bocca al lupo"),
    ("de", "Ich drück' dir ganz fest die Daumen"), ("fr", "ça coûte les yeux de la tête"),
    ("fr", "ca coute les yeux de la tete"),
    ("fr", "c\u{327}a cou\u{302}te les yeux de la te\u{302}te"),
    ("es", "se me quedó la cara como un tomate"), ("pt-BR", "não tem pé nem cabeça"),
    ("nl", "nu komt de aap uit de mouw"),
  ])
  func `inflected, interrupted and carelessly typed phrases pass`(
    language: String,
    text: String
  ) throws {
    #expect(try filter().passes(text, in: Language(language)))
  }

  @Test(arguments: [
    ("en", "See you at six in front of the station"), ("it", "Ci vediamo alle otto"),
    ("de", "Bin in zehn Minuten da"), ("en", ""), ("en", "😂😂"), ("ja", "👍"), ("en", "+39 555 1234"),
    ("en", "My leg hurts, I took a rest"),
  ])
  func `plain messages don't pass`(language: String, text: String) throws {
    #expect(try !filter().passes(text, in: Language(language)))
    #expect(try filter("off").passes(text, in: Language(language)))
  }

  @Test(arguments: ["ja", "tr", "ar", "hi", "uk"])
  func `in a language without a lexicon every text with a word passes`(language: String) throws {
    #expect(try filter().passes("abc", in: Language(language)))
  }

  @Test func `a text clearly in another language is checked in that language`() throws {
    let english = try Language("en")
    #expect(try filter().passes("Non vedo l'ora di vederti domani, davvero!", in: english))
    #expect(try !filter().passes("Ci vediamo domani alle otto davanti alla scuola", in: english))
  }

  @Test func `words of a cue far apart don't match`() throws {
    let near = "the bucket that he then kicked"
    let far = "the bucket is next to the door that we have to paint, he kicked it"
    #expect(try filter().passes(near, in: Language("en")))
    #expect(try !filter().passes(far, in: Language("en")))
  }

  @Test func `one word matches only one word of a cue`() {
    let lexicon = CultureLexicon("pan* panda")
    #expect(!lexicon.hasCue(in: ["panda"]))
    #expect(lexicon.hasCue(in: ["panda", "pancake"]))
  }

  @Test func `joined words match only next to each other and in order`() {
    let lexicon = CultureLexicon("like_mad")
    #expect(lexicon.hasCue(in: ["i", "run", "like", "mad"]))
    #expect(!lexicon.hasCue(in: ["mad", "like", "so", "mad"]))
  }

  @Test(arguments: ["en", "es", "fr", "de", "it", "pt", "nl"])
  func `very odd or long texts cause no failure`(language: String) throws {
    let filter = try filter()
    for text in [
      String(repeating: "a\u{301}\u{301}", count: 1_000), String(repeating: "leg ", count: 500),
      "\u{202E}gel a kaerb", "\u{0}\u{0}", String(repeating: "\u{301}", count: 2_000), "İ", "ﬁ",
    ] {
      _ = filter.passes(text, in: try Language(language))
    }
  }

  @Test func `an invalid value of the variable is refused by name`() {
    #expect {
      try filter("yes")
    } throws: { error in
      (error as? StatusError)?.message.contains("ANALYSIS_PREFILTER") == true
    }
  }
}
