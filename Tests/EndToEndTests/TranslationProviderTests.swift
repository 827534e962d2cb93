import Core
import TestKit
import Testing

/// The translation of one message by each provider. The emulator has a fake of each.
@Suite(.timeLimit(.minutes(10)))
struct TranslationProviderTests {
  private static let text = "👋 See the docks at 10:30, https://example.com/a?b=c 🎉\r\nThank you!"
  private static let advanced = ["TRANSLATION_PROVIDER": "google-v3"]

  @Test(arguments: [
    (["GOOGLE_TRANSLATION_API_KEY": ""], "docks", "phrasebook+pseudo", 640),
    (advanced, "docks", "phrasebook+pseudo", 640),
    (
      advanced.merging(["TRANSLATION_LOCATION": "us-central1", "TRANSLATION_GLOSSARY": "demo"]) {
        $1
      },
      "moli", "phrasebook-glossary+pseudo-glossary", 640
    ),
    (
      [
        "TRANSLATION_PROVIDER": "libretranslate", "TRANSLATION_API_KEY": "emulator-translation-key",
      ],
      "docks", "phrasebook+pseudo", 0
    ),
  ])
  func `one call translates every line and leaves the rest unchanged`(
    variables: [String: String],
    word: String,
    engine: String,
    cost: Int
  ) async throws {
    try await withEmulator { emulator in
      let environment = try emulator.environment().merging(variables) { $1 }
      let call = JSONValue.object([
        "text": .string(Self.text), "sourceLang": .string("en"), "targetLang": .string("it"),
      ])
      let run = try await runFunction(
        "translateMessage",
        input: call.text,
        environment: environment
      )
      #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
      #expect(
        run.result?["translatedText"]?.string
          == "👋 ⟦it⟧ See the \(word) at 10:30, https://example.com/a?b=c 🎉\r\nGrazie!"
      )
      #expect(run.result?["engine"]?.string == engine)
      #expect(run.line.at("usage.providerCalls") == .integer(1))
      #expect(run.line.at("usage.costMicros") == .integer(Int64(cost)))
    }
  }

  @Test func `a glossary's translation is used only with the same glossary`() async throws {
    try await withEmulator { emulator in
      let plain = try emulator.environment().merging(Self.advanced) { $1 }
      let glossary = [
        "TRANSLATION_LOCATION": "us-central1", "TRANSLATION_GLOSSARY": "demo",
      ]
      let own = [
        "TRANSLATION_PROVIDER": "libretranslate", "TRANSLATION_API_KEY": "emulator-translation-key",
      ]
      let call = #"{"text":"See the docks","sourceLang":"en","targetLang":"it"}"#
      for (changes, word, calls) in [
        ([:], "docks", 1), (glossary, "moli", 1), (glossary, "moli", 0), ([:], "docks", 1),
        ([:], "docks", 0), (own, "docks", 1), (own, "docks", 0),
      ] as [([String: String], String, Int64)] {
        let environment = plain.merging(changes) { $1 }
        let run = try await runFunction("translateMessage", input: call, environment: environment)
        let line = Comment(rawValue: run.line.text)
        #expect(run.result?["translatedText"]?.string == "⟦it⟧ See the \(word)", line)
        #expect(run.line.at("usage.providerCalls") == .integer(calls), line)
        #expect(run.line.at("usage.cacheHits") == .integer(1 - calls), line)
      }
    }
  }
}
