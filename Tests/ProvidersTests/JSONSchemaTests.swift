import Core
import Providers
import TestKit
import Testing

struct JSONSchemaTests {
  private func check(_ json: String, _ schema: JSONSchema) throws -> String {
    String(decoding: try schema.check(Data(json.utf8)), as: UTF8.self)
  }

  private func refusal(_ json: String, _ schema: JSONSchema) -> String? {
    let error = statusError { try check(json, schema) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("PLANTED") == false)
    return error?.message
  }

  // MARK: Encoding

  @Test(arguments: [
    (JSONSchema.string(maximumLength: 5), #"{"type":"string"}"#),
    (.string(maximumLength: 5, orNull: true), #"{"type":["string","null"]}"#),
    (.choice(["b", "a"]), #"{"enum":["b","a"],"type":"string"}"#),
    (.boolean, #"{"type":"boolean"}"#),
    (
      .array(of: .boolean, count: 0...30),
      #"{"items":{"type":"boolean"},"maxItems":30,"minItems":0,"type":"array"}"#
    ),
    (
      .object([:]),
      #"{"additionalProperties":false,"properties":{},"required":[],"type":"object"}"#
    ),
    (SamplePrompt.output, SamplePrompt.schema),
  ])
  func `a schema is encoded as strict mode requires`(schema: JSONSchema, json: String) throws {
    #expect(try text(schema) == json)
  }

  @Test func `at every level all members are required and no others are allowed`() throws {
    let inner = JSONSchema.object(["b": .boolean, "a": .string(maximumLength: 1, orNull: true)])
    let innerJSON =
      #"{"additionalProperties":false,"properties":{"a":{"type":["string","null"]},"#
      + #""b":{"type":"boolean"}},"required":["a","b"],"type":"object"}"#
    #expect(
      try text(JSONSchema.object(["y": .array(of: inner, count: 1...2), "x": inner]))
        == #"{"additionalProperties":false,"properties":{"x":\#(innerJSON),"#
        + #""y":{"items":\#(innerJSON),"maxItems":2,"minItems":1,"type":"array"}},"#
        + #""required":["x","y"],"type":"object"}"#
    )
  }

  // MARK: Valid answers

  @Test(arguments: [
    (SamplePrompt.answer, SamplePrompt.answer),
    (
      "\n{ \"sure\" : true, \"replies\":[\"a\", \"b\",\"c\"],\t\"note\":null,\"kind\":\"idiom\" }\n",
      SamplePrompt.answer
    ),
    (
      #"{"kind":"none","note":"\u0031\/\n😀","replies":["","\u00e9","\ud83d\ude00"],"sure":false}"#,
      #"{"kind":"none","note":"1/\n😀","replies":["","é","😀"],"sure":false}"#
    ),
  ])
  func `a valid answer is rewritten in canonical form`(json: String, canonical: String) throws {
    #expect(try check(json, SamplePrompt.output) == canonical)
  }

  @Test(arguments: [(0, 10, true), (10, 10, true), (11, 10, false), (0, 0, true), (1, 0, false)])
  func `a string's length is counted in Unicode scalars`(length: Int, maximum: Int, fits: Bool) {
    for scalar in ["a", "\u{301}", "你", "😀"] {
      let json = "\"" + String(repeating: scalar, count: length) + "\""
      let error = statusError { try check(json, .string(maximumLength: maximum)) }
      let refusal = StatusError(
        .invalidArgument,
        "the answer is refused: longer than \(maximum) characters"
      )
      #expect(error == (fits ? nil : refusal))
    }
  }

  @Test(arguments: [
    (0, 0...2, true), (2, 0...2, true), (3, 0...2, false), (0, 1...1, false), (1, 1...1, true),
    (0, 0...0, true), (1, 0...0, false), (100_000, 1...2, false),
  ])
  func `an array's length must be in the schema's range`(
    length: Int,
    count: ClosedRange<Int>,
    fits: Bool
  ) {
    let json = "[" + Array(repeating: "true", count: length).joined(separator: ",") + "]"
    let error = statusError { try check(json, .array(of: .boolean, count: count)) }
    let refusal = StatusError(
      .invalidArgument,
      "the answer is refused: not \(count.lowerBound) to \(count.upperBound) elements"
    )
    #expect(error == (fits ? nil : refusal))
  }

  @Test func `null is valid only where the schema allows it`() throws {
    #expect(try check("null", .string(maximumLength: 1, orNull: true)) == "null")
    for schema in [JSONSchema.string(maximumLength: 1), .choice(["null"]), .boolean, .object([:])] {
      #expect(refusal("null", schema)?.hasPrefix("the answer has the wrong type") == true)
    }
  }

  // MARK: Invalid answers

  @Test(arguments: Nonconforming.all)
  func `an error locates an invalid value without repeating it`(value: Nonconforming) {
    #expect(refusal(value.object, SamplePrompt.output) == value.message())
  }

  @Test(arguments: Nonconforming.all)
  func `the location is relative to the whole answer`(value: Nonconforming) {
    let schema = JSONSchema.object(["all": .array(of: SamplePrompt.output, count: 2...2)])
    let json = #"{"all":[\#(SamplePrompt.answer),\#(value.object)]}"#
    #expect(refusal(json, schema) == value.message(at: "all.1"))
  }

  @Test(arguments: [
    ("", "the answer is empty"), (" \n", "the answer is empty"),
    ("PLANTED", invalid), ("{\"kind\":\"PLANTED", invalid), ("```json\n{}\n```", invalid),
    ("{} PLANTED", invalid), ("{'kind':'PLANTED'}", invalid), ("[PLANTED]", invalid),
    ("NaN", invalid),
    ("[]", "the answer has the wrong type (expected an object)"),
    ("\"PLANTED\"", "the answer has the wrong type (expected an object)"),
    ("7", "the answer has the wrong type (expected an object)"),
  ])
  func `an answer that isn't a JSON object is refused`(json: String, message: String) {
    #expect(refusal(json, SamplePrompt.output) == message)
  }

  private static let invalid = "the answer is not valid JSON, or has a number out of range"

  // MARK: Hostile answers

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `an endless nesting is refused`(opening: String) {
    let json = String(repeating: opening, count: 100_000)
    #expect(refusal(json, SamplePrompt.output) != nil)
    #expect(refusal(#"{"kind":"# + json, SamplePrompt.output) != nil)
  }

  @Test func `a nesting within a schema's member is refused`() {
    let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(
      refusal(#"{"a":\#(nested)}"#, .object(["a": .string(maximumLength: 9)]))
        == #"the answer has the wrong type at "a" (expected a string)"#
    )
  }

  @Test func `a string of a megabyte is refused`() {
    let text = String(repeating: "PLANTED\u{301}", count: 1 << 17)
    #expect(
      refusal(#"{"a":"\#(text)"}"#, .object(["a": .string(maximumLength: 2_000)]))
        == #"the answer is refused at "a": longer than 2000 characters"#
    )
    #expect(
      refusal(#"{"\#(text)":true}"#, .object(["a": .boolean]))
        == "the answer is refused: a field that the schema doesn't have"
    )
  }

  @Test func `a duplicate member counts once`() throws {
    let schema = JSONSchema.object(["a": .choice(["x", "y"])])
    let json = try check(#"{"a":"x","a":"y"}"#, schema)
    #expect([#"{"a":"x"}"#, #"{"a":"y"}"#].contains(json))
  }

  @Test func `a NUL character must be escaped`() throws {
    let schema = JSONSchema.string(maximumLength: 9)
    #expect(try check(#""a\u0000b""#, schema) == #""a\u0000b""#)
    for json in ["\"abcdef\u{0}\"", "\"\u{0}\"", "\u{0}\"a\"", "\"abcde\"\u{0}"] {
      #expect(refusal(json, schema) != nil)
    }
  }

  @Test(arguments: [
    #"\ud800"#, #"\udc00"#, #"\udc00\ud800"#, #"\ud83d"#, #"\ud83dx"#, #"\uD83D\n"#,
  ])
  func `half a surrogate pair is refused`(escape: String) {
    let schema = JSONSchema.object(["a": .string(maximumLength: 9)])
    #expect(refusal(#"{"a":"\#(escape)"}"#, schema) == Self.invalid)
  }

  @Test(arguments: [Data([0x22, 0xFF, 0x22]), Data([0xFF, 0xFE, 0x22, 0]), Data([0xC0, 0x80])])
  func `invalid UTF-8 is refused`(data: Data) {
    let error = StatusError(.invalidArgument, "the answer is not valid UTF-8")
    #expect(throws: error) { try JSONSchema.string(maximumLength: 9).check(data) }
  }

  @Test(arguments: [
    "7", "-0", "1e400", "99999999999999999999999999", "true", "[]", "{}", "[\"a\"]",
  ])
  func `no other type is converted to a string`(json: String) {
    #expect(refusal(json, .string(maximumLength: 99)) != nil)
    #expect(refusal(json, .choice(["7", "true"])) != nil)
  }

  @Test(arguments: ["0", "1", "\"true\"", "null", "[]"])
  func `no other type is converted to a Boolean`(json: String) {
    #expect(refusal(json, .boolean) != nil)
  }
}
