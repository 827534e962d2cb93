import Core
import FirestoreModel
import TestKit
import Testing

struct ValueJSONTests {
  static let everyType: [(Value, String)] = [
    (.null, #"{"nullValue":null}"#),
    (true, #"{"booleanValue":true}"#),
    (.integer(.max), #"{"integerValue":"9223372036854775807"}"#),
    (.integer(.min), #"{"integerValue":"-9223372036854775808"}"#),
    (.double(1.5), #"{"doubleValue":1.5}"#),
    (.double(.nan), #"{"doubleValue":"NaN"}"#),
    (.double(.infinity), #"{"doubleValue":"Infinity"}"#),
    (.double(-.infinity), #"{"doubleValue":"-Infinity"}"#),
    (
      .timestamp(Timestamp(seconds: 1, nanoseconds: 2_000)),
      #"{"timestampValue":"1970-01-01T00:00:01.000002Z"}"#
    ),
    ("a\"/é😀", #"{"stringValue":"a\"/é😀"}"#),
    ("", #"{"stringValue":""}"#),
    (.bytes(Data([0xFB, 0xFF, 0x00])), #"{"bytesValue":"+/8A"}"#),
    (.bytes(Data()), #"{"bytesValue":""}"#),
    (
      .reference("projects/p/databases/d/documents/c/x"),
      #"{"referenceValue":"projects/p/databases/d/documents/c/x"}"#
    ),
    (
      .geoPoint(latitude: 1.5, longitude: -2),
      #"{"geoPointValue":{"latitude":1.5,"longitude":-2}}"#
    ),
    ([], #"{"arrayValue":{}}"#),
    ([1, "a"], #"{"arrayValue":{"values":[{"integerValue":"1"},{"stringValue":"a"}]}}"#),
    ([:], #"{"mapValue":{}}"#),
    (
      ["b": [:], "a": .null],
      #"{"mapValue":{"fields":{"a":{"nullValue":null},"b":{"mapValue":{}}}}}"#
    ),
  ]

  @Test(arguments: everyType)
  func `every type is written as one member and read back`(value: Value, json: String) throws {
    #expect(try text(value) == json)
    #expect(try decode(Value.self, json) == value)
  }

  @Test func `minus zero keeps its sign in both directions`() throws {
    #expect(try text(Value.double(-0.0)) == #"{"doubleValue":"-0"}"#)
    guard case .double(let double) = try decode(Value.self, #"{"doubleValue":"-0"}"#) else {
      Issue.record("not a double")
      return
    }
    #expect(double == 0 && double.sign == .minus)
  }

  @Test(
    arguments: [
      (#"{"integerValue":7}"#, Value.integer(7)),
      (#"{"integerValue":-7}"#, .integer(-7)),
      (#"{"doubleValue":"1.5"}"#, .double(1.5)),
      (#"{"doubleValue":3}"#, .double(3)),
      (#"{"doubleValue":1e300}"#, .double(1e300)),
      (#"{"bytesValue":"-_8A"}"#, .bytes(Data([0xFB, 0xFF, 0x00]))),
      (#"{"bytesValue":"YQ"}"#, .bytes(Data([0x61]))),
      (#"{"bytesValue":"YQ=="}"#, .bytes(Data([0x61]))),
      (#"{"nullValue":"NULL_VALUE"}"#, .null),
      (#"{"nullValue":0}"#, .null),
      (#"{"geoPointValue":{}}"#, .geoPoint(latitude: 0, longitude: 0)),
      (#"{"timestampValue":"1970-01-01T01:00:00+01:00"}"#, .timestamp(Timestamp(seconds: 0))),
    ] as [(String, Value)]
  )
  func `other spellings that clients send are read`(json: String, value: Value) throws {
    #expect(try decode(Value.self, json) == value)
  }

  @Test(
    arguments: [
      "{}", #"{"stringValue":null}"#, #"{"stringValue":1}"#, #"{"integerValue":"1.5"}"#,
      #"{"integerValue":"9223372036854775808"}"#, #"{"integerValue":true}"#,
      #"{"doubleValue":"abc"}"#, #"{"bytesValue":"*"}"#, #"{"timestampValue":"yesterday"}"#,
      #"{"stringValue":"a","integerValue":"1"}"#, #"{"arrayValue":[]}"#,
      #"{"booleanValue":"true"}"#,
      "[]", "7",
    ] as [String]
  )
  func `a value with no type, two types or a wrong one is refused`(json: String) {
    #expect(statusError { try decode(Value.self, json) }?.code == .invalidArgument)
  }
}
