import Core
import Testing

@testable import ProviderFakes

struct RuleEngineTests {
  private let engine = RuleEngine()

  @Test func `without a schema the engine's answer names the engine`() {
    for input in [.string("Hello"), .object([:]), .null] as [JSONValue] {
      guard case .text(let text) = engine.answer(to: input, schema: nil) else {
        Issue.record("no text")
        continue
      }
      #expect(text.hasPrefix("emulator-rules: "))
    }
  }

  @Test(arguments: ["readerLanguage", "replyLanguage", "translationLanguage", "answerLanguage"])
  func `a language that the rules don't know is refused`(member: String) {
    for code in ["ja", "zh-Hant", "", "-it", "xx", "italian"] {
      let input = JSONValue.object([
        ByteKey(member): .string(code), "message": .object(["text": "Hi"]),
      ])
      guard case .refusal(let reason) = engine.answer(to: input, schema: .object([:])) else {
        Issue.record("\(code) is not refused")
        continue
      }
      for name in ["English", "Spanish", "Italian", "French", "Portuguese", "German"] {
        #expect(reason.contains(name))
      }
    }
    for code in ["it", "IT", "pt-BR", "de_AT", "fr-CA"] {
      let input = JSONValue.object([ByteKey(member): .string(code)])
      #expect(engine.answer(to: input, schema: .object([:])) == .output(.object([:])))
    }
  }

  @Test func `a plain text is explained too`() {
    let answer = engine.output("Break a leg!", ModelRequests.analysisSchema)
    #expect(answer["idiomDetected"] == "Break a leg")
    #expect(answer["suggestedEquivalent"] == .null)
  }

  @Test(
    arguments: [
      // One property has another name, and one is new.
      (
        #"{"properties":{"idiom":{"type":["string","null"]},"type":{"type":"string"}}}"#,
        #"{"idiom":null,"type":"idiom"}"#
      ),
      (
        #"{"type":"object","properties":{"tone":{"type":"string"},"suggestedEquivalent":{"type":"string"}}}"#,
        #"{"suggestedEquivalent":"In bocca al lupo","tone":""}"#
      ),
      // The schema doesn't allow the values that the rules would answer.
      (
        #"{"properties":{"type":{"enum":["joke","none"]},"relevance":{"enum":["none","some"]}}}"#,
        #"{"relevance":"none","type":"none"}"#
      ),
      (
        #"{"properties":{"hasCulturalContext":{"type":"string"},"type":{"const":"x"}}}"#,
        #"{"hasCulturalContext":"","type":"x"}"#
      ),
      (
        #"{"properties":{"suggestedEquivalent":{"type":"string","maxLength":2}}}"#,
        #"{"suggestedEquivalent":"In"}"#
      ),
      // The schema has properties of all types.
      (
        #"{"type":"object","properties":{"a":{"type":"integer","minimum":3},"b":{"type":"number"},"c":{"type":"boolean"},"d":{"type":"null"},"e":{"type":"array","items":{"type":"integer"},"minItems":2},"f":{"type":"object","properties":{"g":{"type":"string","minLength":3}}},"h":{"enum":["b","low"]},"i":{"enum":["x","y"]},"j":{"type":"integer","maximum":-2},"k":{"type":"integer","exclusiveMinimum":0}}}"#,
        #"{"a":3,"b":0,"c":false,"d":null,"e":[0,0],"f":{"g":"emu"},"h":"low","i":"x","j":-2,"k":1}"#
      ),
      // The schema has references and alternatives.
      (
        ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/c"},"d":{"anyOf":[{"type":"string"},{"type":"null"}]},"idiomDetected":{"anyOf":[{"type":"null"},{"type":"string"}]}}},"c":{"type":"boolean"}}}"##,
        #"{"b":false,"d":null,"idiomDetected":"Break a leg"}"#
      ),
      (
        #"{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"boolean"}}}]}"#,
        #"{"a":"","b":false}"#
      ),
      (#"{"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"string"}]}}}"#, #"{"a":0}"#),
      // The value doesn't have to be an object.
      (#"{"type":"string"}"#, #""""#), (#"{"type":"array","items":{}}"#, "[]"),
      (#"{"enum":["a","none"]}"#, #""none""#), (#"{"const":7}"#, "7"),
      // The schema is missing or invalid.
      ("{}", "{}"), ("true", "{}"), ("[]", "{}"), ("null", "{}"), (#""object""#, "{}"), ("7", "{}"),
      (#"{"type":"object"}"#, "{}"), (#"{"type":"thing"}"#, "null"), (#"{"type":[]}"#, "null"),
      (#"{"type":7,"properties":7}"#, "{}"),
      (#"{"properties":{"a":7,"b":{}}}"#, #"{"a":null,"b":null}"#),
      (#"{"enum":[]}"#, "null"), (#"{"anyOf":[]}"#, "null"), (##"{"$ref":"#"}"##, "{}"),
      (##"{"$ref":"#/$defs/nothing"}"##, "{}"), (#"{"$ref":"http://example.com/"}"#, "{}"),
    ] as [(String, String)]
  )
  func `any schema gets a value that matches it`(schema: String, value: String) throws {
    let input = ModelRequests.analysis("Break a leg!")
    let schema = try JSONValue(parsing: Data(schema.utf8))
    let expected = try JSONValue(parsing: Data(value.utf8))
    let answer = engine.output(input, schema)
    #expect(normal(answer) == normal(expected))
  }

  /// Returns the value with whole numbers as integers, as in JSON text.
  private func normal(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? value
    case .array(let values): .array(values.map(normal))
    case .object(let members): .object(members.mapValues(normal))
    default: value
    }
  }

  @Test func `suggestions fill items of any schema`() throws {
    let message = ModelRequests.message("m1", "P2", "Thanks!", language: "en")
    let items = ModelRequests.schema([
      "text": ModelRequests.type("string"), "tone": ModelRequests.choice("warm", "cool"),
    ])
    for (minimum, maximum, count) in [(0, 2, 2), (5, 9, 5), (3, 3, 3), (9, 2, 2)] {
      let schema = ModelRequests.schema([
        "suggestions": .object([
          "type": "array", "items": items, "minItems": .integer(Int64(minimum)),
          "maxItems": .integer(Int64(maximum)),
        ])
      ])
      let answer = engine.output(ModelRequests.replies(to: [message]), schema)
      let suggestions = try #require(answer["suggestions"]?.array)
      #expect(suggestions.count == count)
      #expect(suggestions[0] == .object(["text": "You're welcome!", "tone": "warm"]))
    }
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      ##"{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}"##,
      ##"{"type":"array","items":{"$ref":"#"},"minItems":1000000}"##,
      #"{"type":"array","items":{"type":"array","items":{"type":"string","minLength":1000000000},"minItems":1e300},"minItems":1000000}"#,
      ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
      ##"{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"},{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}"##,
      ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
      ##"{"type":"array","minItems":100000,"items":{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}}"##,
      #"{"type":"string","minLength":-1,"maxLength":-7}"#,
      #"{"type":"integer","minimum":1e300}"#, #"{"type":"integer","maximum":-1e300}"#,
      #"{"type":"array","minItems":"many","maxItems":null,"items":[]}"#,
    ] as [String]
  )
  func `an infinite schema gets a quick answer`(schema: String) throws {
    let schema = try JSONValue(parsing: Data(schema.utf8))
    guard case .output(let value) = engine.answer(to: .object([:]), schema: schema) else {
      Issue.record("no output")
      return
    }
    #expect(try JSONEncoder().encode(value).count < 1_000_000)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a schema of long lists gets a quick answer`() {
    let names = (0..<50_000).map { JSONValue.string("choice\($0)") }
    let items = JSONValue.object(["enum": .array(names)])
    let schema = JSONValue.object([
      "type": "array", "items": items, "minItems": .integer(1_000_000),
    ])
    #expect(engine.output(.null, schema).array?.first == "choice0")
    var deep = ModelRequests.type("string")
    for _ in 0..<200 { deep = ModelRequests.schema(["a": deep]) }
    #expect(engine.output(.null, deep)["a"]?["a"]?["a"] != nil)
  }
}
