import Core
import Foundation
import TestKit
import Testing

/// This package's JSON parser, compared with Foundation's.
struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

  @Test(
    arguments: [
      ("null", .null), (" true\n", .boolean(true)), ("false", .boolean(false)),
      ("0", .integer(0)), ("-7", .integer(-7)), ("-0", .number(-0.0)), ("1.0", .number(1)),
      ("1e2", .number(100)), ("1E+2", .number(100)), ("-2.5e-3", .number(-0.0025)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, .string("a\"\\/\u{8}\u{C}\n\r\té😀")),
      (#""\u0000""#, .string("\u{0}")), ("[]", .array([])),
      ("[ 1 , [ ] ]", .array([.integer(1), .array([])])),
      ("{}", .object([:])), (#"{"a":{"":1}}"#, .object(["a": .object(["": .integer(1)])])),
      // If a name occurs twice, the last value is used.
      (#"{"a":1,"a":2}"#, .object(["a": .integer(2)])),
      // In front of the text, the scalar is a byte order mark. Inside a string, it is a character.
      ("\u{FEFF}[1]", .array([.integer(1)])), ("\"\u{FEFF}a\"", .string("\u{FEFF}a")),
      (#"{"\ufeffa":1}"#, .object(["\u{FEFF}a": .integer(1)])),
    ] as [(String, JSONValue)]
  )
  func `JSON is read`(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
    if value == .number(-0.0) {
      guard case .number(let number) = try parse(text) else { return }
      #expect(number.sign == .minus)
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}"#, true), (#"{"a":1,"a":1}"#, false),
    (#"{"a":1,"\u0061":2}"#, false), (#"{"b":[{"a":{},"c":1,"a":{}}]}"#, false),
    (#"{"":1,"":2}"#, false), (#"{"é":1,"e\u0301":2}"#, true),
  ])
  func `a duplicate name is refused where two readers must agree`(
    text: String,
    isAllowed: Bool
  ) {
    let limits = JSONLimits(allowsRepeatedNames: false)
    let value = try? JSONValue(parsing: Data(text.utf8), limits: limits)
    #expect((value != nil) == isAllowed)
    #expect((try? parse(text)) != nil)
  }

  @Test func `a duplicate name in the outermost object is reported`() throws {
    for text in [#"{"a":1,"b":2,"a":1}"#, #"{"a":1,"\u0061":2}"#] {
      let error = statusError { try JSONValue(unambiguous: Data(text.utf8)) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == #"the field "a" appears twice"#)
    }
    #expect(try JSONValue(unambiguous: Data("{".utf8)) == nil)
    #expect(try JSONValue(unambiguous: Data([0x22, 0xFF, 0x22])) == nil)
    let inner = #"[{"a":1,"a":2}]"#
    #expect(try JSONValue(unambiguous: Data(inner.utf8)) == parse(inner))
  }

  @Test(arguments: [("[[1]]", true), (#"{"a":[1]}"#, true), ("[[[1]]]", false), ("[[{}]]", false)])
  func `JSON may be as deep as the limit`(text: String, isAllowed: Bool) {
    let value = try? JSONValue(parsing: Data(text.utf8), limits: JSONLimits(depth: 2))
    #expect((value != nil) == isAllowed)
  }

  @Test(arguments: [
    "", " ", "\u{FEFF}", "nul", "nulll", "True", "01", "-", "-01", "+1", ".5", "1.", "1.e2", "1e",
    "1e+", "0x1", "1e400", "-1e400", "NaN", "Infinity", "'a'", "\"", "\"a", "\"\\", "\"\\x\"",
    "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"\\udc00\"",
    "\"\u{1}\"", "\"a\nb\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"",
    "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}",
    "{\"a\":1 \"b\":2}",
    "1 2", "[1] x", "/**/1", "[1]//", "\u{A0}1", "1\u{0}", "\u{0}1",
  ])
  func `invalid JSON is refused`(text: String) {
    #expect(throws: StatusError.self) { try parse(text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF, 0xFE, 0x31, 0x00],
      [0x5B, 0x31, 0x5D, 0xFF], [0x22, 0x5C, 0x6E, 0xFF, 0x22],
    ] as [[UInt8]]
  )
  func `invalid UTF-8 is refused`(bytes: [UInt8]) {
    #expect(throws: StatusError.self) { try JSONValue(parsing: Data(bytes)) }
  }

  @Test func `deeper nesting than the limit is refused`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      _ = try parse(nested(512, open, close))
      #expect(throws: StatusError.self) { try parse(nested(513, open, close)) }
    }
  }

  @Test func `a slice of data is read from its own start`() throws {
    let data = Data("xx[1]".utf8).dropFirst(2)
    #expect(try JSONValue(parsing: data) == .array([.integer(1)]))
  }

  // MARK: Compared with Foundation

  private static let texts = [
    "a", "é", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\/", "\\\\", "\\\"", "/", "\u{7F}",
    "\u{2028}", "e\u{301}", "\\u0000", "\\b\\f\\t\\r", "中",
  ]
  private static let numbers = [
    "0", "1.5", "1e3", "1E+2", "-2.5e-3", "0.1", "1e22", "123456789012345678", "100.0",
    "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "123456789012345678901234567890", "1e308", "2.2250738585072014e-308",
  ]

  /// Returns random JSON with random white space.
  private func sample(_ dice: inout Dice, depth: Int = 0) -> String {
    func space() -> String { dice.pick(["", " ", "\n", "\t", "\r "]) }
    func string() -> String {
      "\"" + (0..<dice.number(below: 6)).map { _ in dice.pick(Self.texts) }.joined() + "\""
    }
    switch dice.number(below: depth > 4 ? 5 : 8) {
    case 0: return dice.pick(["null", "true", "false"])
    case 1, 2: return string()
    case 3: return dice.pick(Self.numbers)
    case 4: return String(Int64(bitPattern: dice.bits) >> Int64(dice.number(below: 63)))
    case 5:
      let elements = (0..<dice.number(below: 4)).map { _ in
        space() + sample(&dice, depth: depth + 1) + space()
      }
      return "[" + elements.joined(separator: ",") + space() + "]"
    default:
      // Each name has a different number, because Foundation's decoder uses the first value of a
      // duplicate name.
      let members = (0..<dice.number(below: 5)).map { number in
        space() + string().dropLast() + "\(number)\"" + space() + ":" + space()
          + sample(&dice, depth: depth + 1) + space()
      }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  /// A value that Foundation's `JSONDecoder` has read.
  ///
  /// `JSONSerialization` can't be used, because it rounds numbers.
  private struct Peer: Decodable {
    var value: JSONValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value =
        if container.decodeNil() {
          .null
        } else if let boolean = try? container.decode(Bool.self) {
          .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
          .integer(integer)
        } else if let number = try? container.decode(Double.self) {
          .number(number)
        } else if let string = try? container.decode(String.self) {
          .string(string)
        } else if let elements = try? container.decode([Peer].self) {
          .array(elements.map(\.value))
        } else {
          .object(JSONObject(try container.decode([String: Peer].self).mapValues(\.value)))
        }
    }
  }

  private func foundation(_ data: Data) -> JSONValue? {
    (try? JSONDecoder().decode(Peer.self, from: data))?.value
  }

  /// Returns the value with whole numbers as integers, because Foundation reads them so.
  private func plain(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? value
    case .array(let values): .array(values.map(plain))
    case .object(let members): .object(members.mapValues(plain))
    default: value
    }
  }

  @Test(arguments: 0..<4)
  func `many texts are read and written as Foundation does`(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for _ in 0..<400 {
      // The loop is long, so it lets other tests run.
      await Task.yield()
      let text = sample(&dice)
      let value = try parse(text)
      #expect(plain(value) == foundation(Data(text.utf8)), Comment(rawValue: text))
      let bytes = try JSON.encode(value)
      #expect(bytes == (try encoder.encode(value)), Comment(rawValue: text))
    }
  }

  @Test(arguments: 0..<4)
  func `texts that Foundation refuses are refused, whatever was changed`(seed: UInt64) async {
    var dice = Dice(seed: seed)
    var refused = 0
    for _ in 0..<600 {
      await Task.yield()
      var bytes = Array(sample(&dice).utf8)
      for _ in 0...dice.number(below: 2) {
        let place = dice.number(below: bytes.count)
        switch dice.number(below: 4) {
        case 0: bytes[place] = UInt8(dice.number(below: 256))
        case 1 where bytes.count > 1: bytes.remove(at: place)
        case 2: bytes[place] = bytes[dice.number(below: bytes.count)]
        default: bytes.insert(dice.pick(Array(",0]}\\\"e.\u{0}-".utf8)), at: place)
        }
      }
      let data = Data(bytes)
      guard let value = try? JSONValue(parsing: data) else {
        refused += 1
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(foundation(data).map(rounded) == rounded(value), Comment(rawValue: text))
    }
    #expect(refused > 150, "too few of the changed texts are invalid JSON")
  }

  /// Returns the value with integers as doubles.
  ///
  /// Foundation decides by the digits whether a number with an exponent is an integer.
  private func rounded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let integer): .number(Double(integer))
    case .array(let values): .array(values.map(rounded))
    case .object(let members): .object(members.mapValues(rounded))
    default: value
    }
  }

  // MARK: Types

  private struct Inner: Codable, Equatable {
    var flags: [Bool?]
    var ratio: Double
    var small: Float
  }

  private struct Outer: Codable, Equatable {
    enum Color: String, Codable { case red, green }
    var name: String
    var missing: Int?
    var color: Color
    var counts: [String: UInt64]
    var byNumber: [Int: String]
    var inner: [Inner]
    var negative: Int8
  }

  @Test func `a type is written as Foundation writes it, and read back`() throws {
    let value = Outer(
      name: "é/\"\u{1}",
      missing: nil,
      color: .green,
      counts: ["b": 1, "a": 1 << 40, "B": 0, "é": 7, "z": 9],
      byNumber: [10: "x", 9: "y"],
      inner: [
        Inner(flags: [true, nil, false], ratio: 0.1, small: 0.1),
        Inner(flags: [], ratio: 1e20, small: 2),
      ],
      negative: -128
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try JSON.encode(value)
    #expect(bytes == (try encoder.encode(value)))
    #expect(try JSON.decode(Outer.self, from: bytes, what: "it") == value)
  }

  @Test(arguments: ["300", "-1", "1.5", "1e3"])
  func `a number that a type can't hold is refused with its place`(number: String) {
    let error = statusError {
      try JSON.decode([[UInt8]].self, from: Data("[[\(number)]]".utf8), what: "it")
    }
    #expect(error?.message == #"it is refused at "0.0": a number out of range"#)
  }

  @Test func `an integer may be written with a zero fraction`() throws {
    #expect(try JSON.decode([Int].self, from: Data("[1.0,2e2]".utf8), what: "it") == [1, 200])
  }

  private struct Nothing: Encodable {
    func encode(to encoder: any Encoder) {}
  }

  private struct Nested: Encodable {
    private enum Name: CodingKey { case a, b, c }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Name.self)
      var list = members.nestedUnkeyedContainer(forKey: .a)
      try list.encode(1)
      var inner = list.nestedContainer(keyedBy: Name.self)
      try inner.encode("x", forKey: .b)
      try list.encode(Nothing())
      var object = members.nestedContainer(keyedBy: Name.self, forKey: .b)
      try object.encodeNil(forKey: .c)
      try Inner(flags: [], ratio: 1, small: 1).encode(to: members.superEncoder(forKey: .c))
    }
  }

  @Test func `nested containers may be filled after their creation`() throws {
    let text = String(decoding: try JSON.encode(Nested()), as: UTF8.self)
    #expect(text == #"{"a":[1,{"b":"x"},{}],"b":{"c":null},"c":{"flags":[],"ratio":1,"small":1}}"#)
    #expect(throws: EncodingError.self) { try JSON.encode(Nothing()) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `infinite numbers and NaN have no JSON form`(number: Double) {
    #expect(throws: EncodingError.self) { try JSON.encode([number]) }
  }

  // MARK: Settings

  @Test(arguments: [
    "// first\n{\"a\": /* a number */ 1}", "{\"a\": 1} // last", "{\"a\": 1/**/}/***/",
    "{ // \"b\": 2,\n\"a\" /* : 2 */ : 1 /* // */ }\n// end\n",
  ])
  func `settings may have comments`(text: String) throws {
    let value = try JSON.parseSettings(Data(text.utf8), what: "the file")
    #expect(value == .object(["a": .integer(1)]))
    #expect((try? parse(text)) == nil)
  }

  @Test func `a text in settings may look like a comment`() throws {
    let text = #"{"a":"https://x /* y */","b":"\"//"}"#
    let value = try JSON.parseSettings(Data(text.utf8), what: "the file")
    #expect(value == .object(["a": .string("https://x /* y */"), "b": .string("\"//")]))
  }

  @Test(arguments: [
    ("{\n  \"a\": 1,\n}", "line 3, column 1: remove the comma before }"),
    ("[1, ]", "line 1, column 5: remove the comma before ]"),
    ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: a comma or a colon is missing before \""),
    ("{ // é\n \"ü\": 'b' }", "line 2, column 7: a text needs double quotes"),
    ("{ \"a\": 1 /* b }", "line 1, column 10: a comment has no end"),
    ("{ \"a\": \"b\n }", "line 1, column 10: a text has no end in this line"),
    ("{ a: 1 }", "line 1, column 3: unexpected \"a\""),
    ("{}\n}", "line 2, column 1: unexpected \"}\""),
    ("{\n", "line 2, column 1: the JSON ends too early"),
    ("", "line 1, column 1: the JSON ends too early"),
  ])
  func `invalid settings are refused with line and column`(text: String, message: String) {
    let error = statusError { try JSON.parseSettings(Data(text.utf8), what: "the file") }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the file, \(message)")
  }

  @Test func `settings that are nested too deeply are refused`() {
    let text = String(repeating: "[", count: 513)
    let error = statusError { try JSON.parseSettings(Data(text.utf8), what: "the file") }
    let reason = "nested too deeply: at most 512 objects and arrays may contain each other"
    #expect(error?.message == "the file, line 1, column 513: \(reason)")
  }

  @Test func `settings may be refused for a repeated name`() {
    let data = Data(#"{"a":{"b":1,"\u0062":2}}"#.utf8)
    #expect((try? JSON.parseSettings(data, what: "the file")) != nil)
    let error = statusError {
      try JSON.parseSettings(data, what: "the file", allowsRepeatedNames: false)
    }
    #expect(error?.message == #"the file: "b" appears twice in an object"#)
  }

  @Test func `settings that aren't UTF-8 are refused`() {
    let error = statusError { try JSON.parseSettings(Data([0x22, 0xFF, 0x22]), what: "the file") }
    #expect(error?.message == "the file is not a text in UTF-8")
  }
}
