import Core
import FirestoreModel
import Testing

struct ValueOrderTests {
  private static func reference(_ path: String, in database: String = "d") -> Value {
    .reference("projects/p/databases/\(database)/documents/\(path)")
  }

  private static func vector(_ elements: Double...) -> Value {
    ["__type__": "__vector__", "value": .array(elements.map(Value.double))]
  }

  /// Values in ascending order. Values in one inner array are equal in order.
  private static let ascending: [[Value]] = [
    [.null],
    [false],
    [true],
    [.double(.nan)],
    [.double(-.infinity)],
    [.double(-0x1p63), .integer(.min)],
    [.integer(-9_007_199_254_740_993)],
    [.double(-9_007_199_254_740_992)],
    [-1, .double(-1)],
    [.double(-0.5)],
    [0, .double(0), .double(-0.0)],
    [.double(.leastNonzeroMagnitude)],
    [1],
    [.double(1.5)],
    [.double(9_007_199_254_740_992), .integer(9_007_199_254_740_992)],
    [.integer(9_007_199_254_740_993)],
    [.integer(.max)],
    [.double(0x1p63)],
    [.double(.infinity)],
    [.timestamp(Timestamp(seconds: -1, nanoseconds: 999_999_999))],
    [.timestamp(Timestamp(seconds: 0))],
    [.timestamp(Timestamp(seconds: 0, nanoseconds: 1))],
    [""],
    ["\u{0}"],
    ["B"],
    ["a"],
    ["aa"],
    ["e\u{301}"],
    ["\u{E9}"],
    ["\u{FFEE}"],
    ["\u{1F600}"],
    [.bytes(Data())],
    [.bytes(Data([0]))],
    [.bytes(Data([0, 0]))],
    [.bytes(Data([0x7F]))],
    [.bytes(Data([0xFF]))],
    [.reference("projects/a/databases/z/documents/z/z")],
    [reference("a/__id-5__")],
    [reference("a/__id9__")],
    [reference("a/__id10__")],
    [reference("a/10")],
    [reference("a/9")],
    [reference("a/b")],
    [reference("a/b/c/d")],
    [reference("b/a")],
    [reference("a/a", in: "e")],
    [.geoPoint(latitude: -90, longitude: 180)],
    [.geoPoint(latitude: 0, longitude: -1)],
    [.geoPoint(latitude: 0, longitude: 0), .geoPoint(latitude: -0.0, longitude: -0.0)],
    [[]],
    [[.null]],
    [[1]],
    [[1, .null]],
    [[2]],
    [["a"]],
    [vector(9)],
    [vector(1, 2)],
    [vector(9, 9)],
    [vector(1, 1, 1)],
    [[:]],
    [["__type__": "other"]],
    [["a": 1], ["a": .double(1)]],
    [["a": 1, "b": 0]],
    [["a": 2]],
    [["b": 0]],
  ]

  @Test func `values of all types have one order`() {
    for (left, lower) in Self.ascending.enumerated() {
      for (right, higher) in Self.ascending.enumerated() {
        let expected = order(left, right)
        for first in lower {
          for second in higher {
            #expect(first.compare(to: second) == expected, "\(first) and \(second)")
          }
        }
      }
    }
  }

  @Test func `a map that only resembles a vector is a map`() {
    let lookalike: Value = ["__type__": "__vector__", "value": 1]
    #expect(lookalike.typeOrder == .map)
    #expect(Self.vector(1).typeOrder == .vector)
  }
}
