import Platform
import RPCStatus
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
      // What only begins like a known name is another model, with another price.
      ("gpt-4o-audio-preview", nil), ("gpt-4o-mini-tts", nil), ("gpt-4.1x", nil),
      ("claude-opus-4-9", nil), ("llama3.2", nil), ("", nil),
    ] as [(String, Int?)]
  )
  func `a model costs by its name, and an unknown one costs nobody knows what`(
    model: String,
    micros: Int?
  ) {
    #expect(cost(model) == micros)
  }

  @Test func `what the provider had cached costs less, and never more than there was`() {
    #expect(cost("gpt-4o-mini", cached: 4_000) == 1_800)
    #expect(cost("gpt-4o-mini", cached: 99_000) == 1_350)
  }

  @Test func `translations cost by the character`() {
    #expect(PriceTable.standard.cost(ofTranslating: 36, by: "nmt") == 720)
    #expect(PriceTable.standard.cost(ofTranslating: 36, by: "someones-own") == nil)
  }

  @Test func `PRICES names prices beside and instead of the standard ones`() async throws {
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
  func `what is no table is a fault of the configuration`(variable: String) {
    let error = #expect(throws: StatusError.self) { try PriceTable(variable) }
    #expect(error?.fault == .configuration)
    #expect(error?.message.hasPrefix("PRICES: ") == true)
  }
}
