import Core
import FirestoreModel
import Store
import Testing

struct QueryFilterTests {
  /// Returns a store whose documents have values of all types in the field `v`. The document
  /// `missing` has no such field.
  private static func store() throws -> Store {
    let store = try Store.holding([
      "null": .null, "false": false, "nan": .double(.nan), "one": 1, "oneDouble": .double(1),
      "two": 2, "time": .timestamp(Timestamp(seconds: 1)), "a": "a", "b": "b",
      "bytes": .bytes(Data([1])), "ref": reference("c/one"),
      "geo": .geoPoint(latitude: 1, longitude: 2), "empty": [], "arrayNull": [.null],
      "arrayNaN": [.double(.nan)], "array1": [1, "x"], "vector": vector(1), "map": ["a": 1],
    ])
    try store.commit(.set("c/missing", ["w": 1]))
    return store
  }

  private static let present: Set<String> = [
    "false", "nan", "one", "oneDouble", "two", "time", "a", "b", "bytes", "ref", "geo", "empty",
    "arrayNull", "arrayNaN", "array1", "vector", "map",
  ]

  @Test(
    arguments: [
      (.lessThan, 5, ["one", "oneDouble", "two"]),
      (.lessThan, .double(1.5), ["one", "oneDouble"]),
      (.lessThan, "b", ["a"]),
      (.lessThanOrEqual, 1, ["one", "oneDouble"]),
      (.lessThanOrEqual, .null, []),
      (.greaterThan, 1, ["two"]),
      (.greaterThan, "", ["a", "b"]),
      (.greaterThan, [:], ["map"]),
      (.greaterThan, vector(0), ["vector"]),
      (.greaterThanOrEqual, 1, ["one", "oneDouble", "two"]),
      (.greaterThanOrEqual, [], ["empty", "arrayNull", "arrayNaN", "array1"]),
      (.greaterThanOrEqual, .double(.nan), []),
      (.greaterThanOrEqual, .null, []),
      (.greaterThanOrEqual, .timestamp(Timestamp(seconds: 0)), ["time"]),
      (.greaterThanOrEqual, .bytes(Data()), ["bytes"]),
      (.greaterThanOrEqual, false, ["false"]),
      (.greaterThanOrEqual, reference("b/a"), ["ref"]),
      (.greaterThanOrEqual, .geoPoint(latitude: 1, longitude: 2), ["geo"]),
      (.equal, 1, ["one", "oneDouble"]),
      (.equal, .double(1), ["one", "oneDouble"]),
      (.equal, "a", ["a"]),
      (.equal, "1", []),
      (.equal, [1, "x"], ["array1"]),
      (.equal, [.double(.nan)], ["arrayNaN"]),
      (.equal, ["a": .double(1)], ["map"]),
      (.equal, vector(1), ["vector"]),
      (.equal, reference("c/one"), ["ref"]),
      (.equal, .null, []),
      (.equal, .double(.nan), []),
      (.in, [1, "a", 1], ["one", "oneDouble", "a"]),
      (.in, [.null, .double(.nan), 2], ["two"]),
      (.in, [.null], []),
      (.in, [[1, "x"]], ["array1"]),
      (.arrayContains, 1, ["array1"]),
      (.arrayContains, .double(1), ["array1"]),
      (.arrayContains, "y", []),
      (.arrayContains, .null, []),
      (.arrayContains, .double(.nan), []),
      (.arrayContains, [1], []),
      (.arrayContainsAny, ["y", "x", .null], ["array1"]),
      (.arrayContainsAny, [.null, .double(.nan)], []),
      (.arrayContainsAny, [[1]], []),
    ] as [(StructuredQuery.FieldOperator, Value, Set<String>)]
  )
  func `a comparison finds equal values and stays within the operand's type`(
    op: StructuredQuery.FieldOperator,
    operand: Value,
    ids: Set<String>
  ) throws {
    let found = try Self.store().ids(query(filter(op, operand)))
    #expect(Set(found) == ids && found.count == ids.count)
  }

  @Test(
    arguments: [
      (filter(.notEqual, 1), ["one", "oneDouble"]),
      (filter(.notEqual, "none"), []),
      (filter(.notEqual, .double(.nan)), []),
      (filter(.notIn, [1, "a"]), ["one", "oneDouble", "a"]),
      (filter(.notIn, [.double(.nan)]), []),
      (.unary(v, .isNotNull), []),
      (.unary(v, .isNotNaN), ["nan"]),
    ] as [(Filter, [String])]
  )
  func `a negation finds every value except null and the excluded ones`(
    filter: Filter,
    excluded: [String]
  ) throws {
    #expect(try Set(Self.store().ids(query(filter))) == Self.present.subtracting(excluded))
  }

  @Test(
    arguments: [
      (filter(.notEqual, .null), []), (filter(.notIn, [.null]), []),
      (filter(.notIn, [1, .null]), []), (.unary(v, .isNull), ["null"]),
      (.unary(v, .isNaN), ["nan"]), (.unary(FieldPath("nowhere"), .isNull), []),
      (.unary(FieldPath("nowhere"), .isNotNull), []),
      (.field(FieldPath("nowhere"), .notEqual, 1), []),
      (.field(FieldPath("v", "a"), .equal, 1), ["map"]),
    ] as [(Filter, [String])]
  )
  func `null and missing are distinguished`(filter: Filter, ids: [String]) throws {
    #expect(try Self.store().ids(query(filter)) == ids)
  }

  @Test(
    arguments: [
      (.composite(.and, []), nil),
      (.composite(.and, [filter(.greaterThan, 0), filter(.lessThan, 2)]), ["one", "oneDouble"]),
      (
        .composite(.or, [filter(.equal, 2), filter(.equal, "a"), filter(.equal, 2)]), ["a", "two"]
      ),
      (
        .composite(
          .and,
          [
            filter(.in, [1, 2]), .composite(.or, [filter(.equal, 2), .field(v, .equal, "a")]),
          ]
        ), ["two"]
      ),
      (.composite(.or, [.composite(.and, []), filter(.equal, 2)]), nil),
    ] as [(Filter, [String]?)]
  )
  func `filters can be combined`(filter: Filter, ids: [String]?) throws {
    let store = try Self.store()
    let everything = try store.ids(query())
    #expect(everything.count == Self.present.count + 2)
    #expect(try store.ids(query(filter)) == ids ?? everything)
  }

  @Test(
    arguments: [
      (.equal, reference("c/b"), ["b"]),
      (.equal, reference("other/b"), []),
      (.greaterThan, reference("c/b"), ["c", "d"]),
      (.greaterThan, reference("b/z"), ["a", "b", "c", "d"]),
      (.lessThanOrEqual, reference("c/b"), ["a", "b"]),
      (.notEqual, reference("c/b"), ["a", "c", "d"]),
      (.in, [reference("c/d"), reference("c/a"), reference("c/none")], ["a", "d"]),
      (.notIn, [reference("c/d"), reference("c/a")], ["b", "c"]),
    ] as [(StructuredQuery.FieldOperator, Value, [String])]
  )
  func `a document's name is compared like a field`(
    op: StructuredQuery.FieldOperator,
    operand: Value,
    ids: [String]
  ) throws {
    let store = try Store.holding(["a": 1, "b": 1, "c": 1, "d": 1])
    #expect(try store.ids(query(.field(.documentName, op, operand))) == ids)
  }
}
