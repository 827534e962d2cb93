import Core
import TestKit
import Testing

@testable import Providers

struct PriceTableTests {
  private func cost(
    _ model: String,
    _ table: PriceTable = .standard,
    cached: Int = 0
  ) -> Int? {
    table.cost(of: model, promptTokens: 10_000, cachedTokens: cached, completionTokens: 1_000)
  }

  @Test(
    arguments: [
      ("gpt-4o-mini", 2_100), ("gpt-4o-mini-2024-07-18", 2_100), ("gpt-4o-2024-08-06", 35_000),
      ("gpt-4.1", 28_000), ("claude-haiku-4-5-20251001", 15_000), ("claude-sonnet-4-5", 45_000),
      ("claude-haiku-4-5-latest", 15_000), ("emulator-rules", 0),
      // These names only begin like a known name, so its price doesn't apply.
      ("gpt-4o-audio-preview", nil), ("gpt-4o-mini-tts", nil), ("gpt-4.1x", nil),
      ("claude-opus-4-9", nil), ("llama3.2", nil), ("", nil),
    ] as [(String, Int?)]
  )
  func `a model's price depends on its name, and an unknown model has none`(
    model: String,
    micros: Int?
  ) {
    #expect(cost(model) == micros)
  }

  @Test func `cached tokens cost less, and never count more than all tokens`() {
    #expect(cost("gpt-4o-mini", cached: 4_000) == 1_800)
    #expect(cost("gpt-4o-mini", cached: 99_000) == 1_350)
  }

  /// The expected costs were calculated by hand.
  ///
  /// The prices are those on the providers' pages, in dollars per million tokens.
  @Test(
    arguments: [
      // 1,234 · 0.15 + 567 · 0.60 = 185.1 + 340.2
      ("gpt-4o-mini", 1_234, 0, 567, 525),
      // 1,000 · 0.15 + 234 · 0.075 + 0 = 150 + 17.55
      ("gpt-4o-mini-2024-07-18", 1_234, 234, 0, 168),
      // 3 · 2.50 + 1 · 10 = 17.5, rounded up
      ("gpt-4o", 3, 0, 1, 18),
      // 200 · 0.25 + 800 · 0.025 + 4,500 · 2 = 50 + 20 + 9,000
      ("gpt-5-mini-2025-08-07", 1_000, 800, 4_500, 9_070),
      // 2,000 · 1 + 8,000 · 0.10 + 300 · 5 = 2,000 + 800 + 1,500
      ("claude-haiku-4-5-20251001", 10_000, 8_000, 300, 4_300), ("gpt-4.1-nano", 0, 0, 0, 0),
    ]
  )
  func `costs match a calculation by hand`(
    model: String,
    prompt: Int,
    cached: Int,
    completion: Int,
    micros: Int
  ) {
    let cost = PriceTable.standard.cost(
      of: model,
      promptTokens: prompt,
      cachedTokens: cached,
      completionTokens: completion
    )
    #expect(cost == micros)
  }

  @Test func `translations are priced per character`() {
    #expect(PriceTable.standard.cost(ofTranslating: 36, by: "nmt") == 720)
    #expect(PriceTable.standard.cost(ofTranslating: 36, by: "someones-own") == nil)
  }

  @Test func `PRICES adds prices to the standard ones and replaces them`() async throws {
    let text = """
       {"models":{"llama*":{"input":0,"output":0},"gpt-4o-mini":{"input":1,"output":2}},
      "translation":{"libretranslate":0}}
      """
    try await withTemporaryFolder { folder in
      let path = "\(folder)/prices.json"
      try Data(text.utf8).write(to: URL(filePath: path))
      for variable in [text, path] {
        let table = try PriceTable(variable)
        #expect(cost("llama3.2:1b", table) == 0)
        #expect(cost("gpt-4o-mini", table, cached: 5_000) == 12_000)
        #expect(cost("gpt-4.1", table) == 28_000)
        #expect(table.cost(ofTranslating: 9, by: "libretranslate") == 0)
        #expect(table.cost(ofTranslating: 9, by: "nmt") == 180)
      }
    }
    #expect(try PriceTable(nil) == .standard)
  }

  @Test(arguments: [
    "/nonexistent", "{", #"{"modells":{}}"#, #"{"models":{"m":{"input":1}}}"#,
    #"{"models":{"m":{"input":1,"output":1,"cached":1}}}"#,
    #"{"models":{"m":{"input":-1,"output":1}}}"#, #"{"translation":{"nmt":1e300}}"#,
    #"{"translation":{"nmt":"20"}}"#,
  ])
  func `an invalid price table is a configuration error`(variable: String) {
    let error = #expect(throws: StatusError.self) { try PriceTable(variable) }
    #expect(error?.fault == .configuration)
    #expect(error?.message.hasPrefix("PRICES: ") == true)
  }
}
