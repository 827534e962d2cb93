import Core
import FirestoreModel
import Rules
import Testing

struct FirestoreValueTests {
  private static let rows: [(String, Value)] = [
    ("null", .null), ("bool", true), ("int", 1), ("float", .double(1)), ("string", "a"),
    ("bytes", .bytes(Data([1]))), ("timestamp", .timestamp(Timestamp(seconds: 0))),
    ("latlng", .geoPoint(latitude: 1, longitude: 2)), ("list", [1]), ("map", ["a": 1]),
    ("path", .reference("projects/demo/databases/(default)/documents/t/x")),
    ("vector", ["__type__": "__vector__", "value": .array([.double(1)])]),
    ("map", ["__type__": "__vector__", "value": ["a"]]),
    ("map", ["__type__": "__vector__"]),
  ]

  @Test(arguments: rows)
  func `each value of a document has a type`(type: String, value: Value) throws {
    #expect(RulesValue(value).typeName == type)
  }

  @Test func `a map's keys are found without its values`() throws {
    let map = RulesMap.fields(["a": 1, "b": ["x": 1]])
    #expect(map.count == 2)
    #expect(map.contains("a"))
    #expect(!map.contains("x"))
    #expect(map["b"]?.typeName == "map")
    #expect(map["c"] == nil)
  }
}
