import FirestoreModel
import Testing

struct ValueEqualityTests {
  @Test(
    arguments: [
      (Value.double(.nan), Value.double(.nan), true),
      (.double(0), .double(-0.0), false),
      (.integer(1), .double(1), false),
      ("\u{E9}", "e\u{301}", false),
      (["a": .double(.nan)], ["a": .double(.nan)], true),
      (["a": "\u{E9}"], ["a": "e\u{301}"], false),
      ([.double(.nan)], [.double(.nan)], true),
      (.geoPoint(latitude: 1, longitude: 2), .geoPoint(latitude: 1, longitude: 2), true),
      (.geoPoint(latitude: 1, longitude: 2), .geoPoint(latitude: 2, longitude: 1), false),
      (.null, false, false),
      (.string("a"), .reference("a"), false),
    ] as [(Value, Value, Bool)]
  )
  func `a write changes a value if its type or bytes differ`(
    left: Value,
    right: Value,
    isEqual: Bool
  ) {
    #expect((left == right) == isEqual)
    #expect(!isEqual || left.hashValue == right.hashValue)
  }

  @Test(
    arguments: [
      (Value.integer(1), Value.double(1), true), (.double(.nan), .double(.nan), true),
      (.null, .null, true), ("\u{E9}", "e\u{301}", false), ([1, [:]], [.double(1), [:]], true),
      (["a": 1], ["a": .double(1)], true), (.integer(1), true, false),
    ] as [(Value, Value, Bool)]
  )
  func `a query treats numbers of equal value as equal`(
    left: Value,
    right: Value,
    isEquivalent: Bool
  ) {
    #expect((left.compare(to: right) == 0) == isEquivalent)
    #expect((right.compare(to: left) == 0) == isEquivalent)
  }
}
