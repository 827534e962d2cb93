import Core
import FirestoreModel
import TestKit
import Testing

struct JSONTests {
  private struct Sample: Codable, Equatable {
    enum Color: String, Codable { case red }
    var name: String?
    var count: Int?
    var flag: Bool?
    var color: Color?
    var items: [String]?
    var inner: [String: Int64]?
  }

  private struct Strict: Decodable {
    var name: String

    private enum CodingKeys: CodingKey, CaseIterable { case name }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownMembers(besides: CodingKeys.self)
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  private struct Named: Decodable {
    var name: String
  }

  @Test(
    arguments: [
      (Data(), "the input is empty"),
      (Data(" \n\t\r".utf8), "the input is empty"),
      (Data([0x22, 0xFF, 0x22]), "the input is not valid UTF-8"),
      (Data([0xC0, 0x80]), "the input is not valid UTF-8"),
      (Data("{\"secret\":".utf8), "the input is not valid JSON, or has a number out of range"),
      (
        Data("{\"name\":\"secret".utf8), "the input is not valid JSON, or has a number out of range"
      ),
      (Data("secret".utf8), "the input is not valid JSON, or has a number out of range"),
      (Data("{\"name\":secret}".utf8), "the input is not valid JSON, or has a number out of range"),
      (
        Data("{\"name\":\"a\"} secret".utf8),
        "the input is not valid JSON, or has a number out of range"
      ),
      (Data("[\"secret\"]".utf8), "the input has the wrong type (expected an object)"),
      (Data("{\"name\":7}".utf8), "the input has the wrong type at \"name\" (expected a string)"),
      (
        Data("{\"count\":\"secret\"}".utf8),
        "the input has the wrong type at \"count\" (expected a number)"
      ),
      (
        Data("{\"flag\":\"secret\"}".utf8),
        "the input has the wrong type at \"flag\" (expected true or false)"
      ),
      (
        Data("{\"items\":\"secret\"}".utf8),
        "the input has the wrong type at \"items\" (expected an array)"
      ),
      (
        Data("{\"items\":[\"secret\",1]}".utf8),
        "the input has the wrong type at \"items.1\" (expected a string)"
      ),
      (
        Data("{\"inner\":\"secret\"}".utf8),
        "the input has the wrong type at \"inner\" (expected an object)"
      ),
      (
        Data("{\"color\":\"secret\"}".utf8),
        "the input is refused at \"color\": not one of the known names"
      ),
    ] as [(Data, String)]
  )
  func `an unreadable text is explained without repeating it`(data: Data, message: String) {
    let error = statusError { try JSON.decode(Sample.self, from: data, what: "the input") }
    #expect(error == StatusError(.invalidArgument, message))
    #expect(error?.message.contains("secret") == false)
  }

  @Test(
    arguments: [
      (#"{"inner":{"n":12345678901234567890}}"#, "12345"), (#"{"count":1.5}"#, "1.5"),
      (#"{"count":1e30}"#, "1e"),
    ] as [(String, String)]
  )
  func `a number that doesn't fit is refused without repeating it`(json: String, number: String) {
    let error = statusError { try decode(Sample.self, json) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("number out of range") == true)
    #expect(error?.message.contains(number) == false)
  }

  @Test func `a missing member is named`() {
    let error = statusError { try decode(Named.self, #"{"nam":"secret"}"#) }
    #expect(error == StatusError(.invalidArgument, #"the input has no "name""#))
  }

  @Test(
    arguments: [
      (#"{"name":"a"}"#, nil),
      (#"{"b":1,"a":2,"name":"a"}"#, #"the input is refused: unknown name "a""#),
      (#"{"names":"secret"}"#, #"the input is refused: unknown name "names""#),
      ("[]", "the input has the wrong type (expected an object)"),
    ] as [(String, String?)]
  )
  func `a type may refuse unknown members`(json: String, message: String?) {
    #expect(statusError { try decode(Strict.self, json) }?.message == message)
    #expect(statusError { try decode([Strict].self, "[\(json)]") } != nil || message == nil)
  }

  @Test func `the same value always gives the same bytes`() throws {
    let sample = Sample(name: "a/b", inner: ["z": 1, "a": 2, "m": 3])
    #expect(try text(sample) == #"{"inner":{"a":2,"m":3,"z":1},"name":"a/b"}"#)
  }

  @Test func `members are sorted by the bytes of their names`() throws {
    let names = ["", "a", "aB", "ab", "e\u{301}", "f", "\u{F1}"]
    let members = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
    #expect(try text(members) == "{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}")
  }

  @Test(
    arguments: [
      ("name", "\"name\""), ("a\u{0}b\nc", "\"abc\""), ("a\u{202E}b", "\"ab\""),
      (String(repeating: "x", count: 100), "\"" + String(repeating: "x", count: 80) + "\""),
    ] as [(String, String)]
  )
  func `a name from outside is shortened and cleaned before it is printed`(
    name: String,
    shown: String
  ) {
    #expect(quoted(name) == shown)
  }
}
