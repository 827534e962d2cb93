import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct UpdateTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let stored: Fields?
    let update: Fields
    let mask: [String]?
    let result: Fields

    init(
      _ description: String,
      stored: Fields?,
      update: Fields,
      mask: [String]?,
      result: Fields
    ) {
      testDescription = description
      self.stored = stored
      self.update = update
      self.mask = mask
      self.result = result
    }
  }

  @Test(arguments: [
    Case("no mask creates", stored: nil, update: ["a": 1], mask: nil, result: ["a": 1]),
    Case(
      "no mask replaces everything",
      stored: ["a": 1, "b": 2],
      update: ["c": 3],
      mask: nil,
      result: ["c": 3]
    ),
    Case(
      "only masked fields change",
      stored: ["a": 1, "b": 2],
      update: ["a": 3, "b": 4],
      mask: ["a"],
      result: ["a": 3, "b": 2]
    ),
    Case(
      "a masked field that is absent is deleted",
      stored: ["a": 1, "b": 2],
      update: [:],
      mask: ["a"],
      result: ["b": 2]
    ),
    Case(
      "an empty mask touches nothing",
      stored: ["a": 1],
      update: ["a": 2],
      mask: [],
      result: ["a": 1]
    ),
    Case("an empty mask creates", stored: nil, update: ["a": 2], mask: [], result: [:]),
    Case("a mask creates", stored: nil, update: ["a": 1, "b": 2], mask: ["a"], result: ["a": 1]),
    Case(
      "a nested path leaves its siblings",
      stored: ["m": ["a": 1, "b": 2]],
      update: ["m": ["a": 3, "c": 4]],
      mask: ["m.a"],
      result: ["m": ["a": 3, "b": 2]]
    ),
    Case(
      "a nested path makes its parents",
      stored: [:],
      update: ["m": ["n": ["a": 1]]],
      mask: ["m.n.a"],
      result: ["m": ["n": ["a": 1]]]
    ),
    Case(
      "a nested path replaces a scalar parent",
      stored: ["m": "text"],
      update: ["m": ["a": 1]],
      mask: ["m.a"],
      result: ["m": ["a": 1]]
    ),
    Case(
      "a nested deletion leaves the parent",
      stored: ["m": ["a": 1]],
      update: [:],
      mask: ["m.a"],
      result: ["m": [:]]
    ),
    Case(
      "a deletion through a scalar changes nothing",
      stored: ["m": 1],
      update: [:],
      mask: ["m.a"],
      result: ["m": 1]
    ),
    Case(
      "a whole map replaces the map",
      stored: ["m": ["a": 1, "b": 2]],
      update: ["m": ["a": 3]],
      mask: ["m"],
      result: ["m": ["a": 3]]
    ),
    Case(
      "a quoted path names one field",
      stored: ["a.b": 1, "a": ["b": 2]],
      update: ["a.b": 3],
      mask: ["`a.b`"],
      result: ["a.b": 3, "a": ["b": 2]]
    ),
    Case(
      "a path may be named twice",
      stored: ["a": 1],
      update: ["a": 2],
      mask: ["a", "a"],
      result: ["a": 2]
    ),
  ])
  func `an update changes fields with and without a mask`(example: Case) throws {
    let store = Store()
    if let stored = example.stored { try store.commit(.set("c/x", stored)) }
    try store.commit(.set("c/x", example.update, mask: example.mask))
    #expect(try store.fields("c/x") == example.result)
  }

  @Test(
    arguments: [
      (["k", "k.a"], ["k"]), (["k.a.b", "j", "k.a"], ["j", "k.a"]),
      (["a", "a", "a.`0`", "b"], ["a", "b"]), (["a.b", "a.bc"], ["a.b", "a.bc"]),
    ] as [([String], [String])]
  )
  func `the shorter of a mask's overlapping paths counts`(mask: [String], kept: [String]) throws {
    let masks = try [mask, kept].map { try FieldMask($0.map { try FieldPath(parsing: $0) }) }
    #expect(masks[0].outermost == masks[1])
    let update: Fields = ["k": ["a": 3], "a": ["b": 3], "j": 3]
    let stores = [Store(), Store()]
    for (store, mask) in zip(stores, [mask, kept]) {
      try store.commit(
        .set("c/x", ["k": ["a": 1, "c": 1], "a": ["b": 1, "bc": 1, "d": 1], "b": 1])
      )
      try store.commit(.set("c/x", update, mask: mask))
    }
    #expect(try stores[0].fields("c/x") == stores[1].fields("c/x"))
  }

  @Test(
    arguments: [
      (["a": 1, "__x__": 1], "field name __x__ is reserved"),
      (["b": [[1]]], "Cannot convert an array value in an array value."),
      (
        ["b": .geoPoint(latitude: 91, longitude: 0)],
        "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
      ),
    ] as [(Fields, String)]
  )
  func `fields outside the mask must be valid too`(fields: Fields, message: String) throws {
    #expect(
      statusError { try Store().commit(.set("c/x", fields, mask: ["a"])) } == invalid(message)
    )
  }

  @Test func `fields outside the mask have no size limit`() throws {
    let store = Store()
    let long = String(repeating: "x", count: 1_048_488)
    try store.commit(.set("c/x", ["a": 1, "b": .string(long)], mask: ["a"]))
    #expect(try store.fields("c/x") == ["a": 1])
  }

  @Test(
    arguments: [
      ("__x__", "__x__"), ("a.__x__", "__x__"), ("__name__", "__name__"),
    ] as [(String, String)]
  )
  func `a path with a reserved name is refused`(path: String, name: String) {
    let expected = invalid("Invalid reserved name in field path \(name)")
    #expect(statusError { try Store().commit(.set("c/x", mask: [path])) } == expected)
    #expect(
      statusError {
        try Store().commit(
          .transform("c/x", [FieldTransform(FieldPath(parsing: path), .increment(1))])
        )
      } == expected
    )
  }

  @Test(
    arguments: [
      (1, 1, false), (1, .double(1), true), (.double(0), .double(-0.0), true),
      (.double(.nan), .double(.nan), false), ("\u{E9}", "e\u{301}", true),
      ([1, 2], [1, 2], false), ([1, 2], [2, 1], true), (["a": 1], ["a": 1], false),
      (.null, false, true),
      (
        .timestamp(Timestamp(seconds: 1, nanoseconds: 1_000)),
        .timestamp(Timestamp(seconds: 1, nanoseconds: 1_999)), false
      ),
    ] as [(Value, Value, Bool)]
  )
  func `a write that changes nothing keeps the update time`(
    before: Value,
    after: Value,
    isChange: Bool
  ) throws {
    let store = Store()
    let created = try store.commit(.set("c/x", ["v": before])).time
    let commit = try store.commit(.set("c/x", ["v": after]))
    let updateTime = try store.document(name("c/x"))?.updateTime
    #expect(updateTime == (isChange ? commit.time : created))
    #expect(commit.results == [WriteResult(updateTime: updateTime)])
    #expect(commit.changes.count == (isChange ? 1 : 0))
  }

  @Test(
    arguments: [
      (Timestamp(seconds: 1, nanoseconds: 123_456_789), 123_456_000),
      (Timestamp(seconds: -1, nanoseconds: 999_999_999), 999_999_000),
    ] as [(Timestamp, Int32)]
  )
  func `timestamps are stored in microseconds at any depth`(time: Timestamp, nanoseconds: Int32)
    throws
  {
    let store = Store()
    try store.commit(
      .set(
        "c/x",
        ["a": .timestamp(time), "m": ["b": [.timestamp(time)]]],
        transforms: [
          FieldTransform(FieldPath("l"), .appendMissingElements([.timestamp(time)]))
        ]
      )
    )
    let kept = Value.timestamp(Timestamp(seconds: time.seconds, nanoseconds: nanoseconds))
    #expect(try store.fields("c/x") == ["a": kept, "m": ["b": [kept]], "l": [kept]])
  }
}
