import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct TransformTests {
  typealias Operation = FieldTransform.Operation

  @Test(
    arguments: [
      (nil, .increment(5), 5),
      (.null, .increment(5), 5),
      ("text", .increment(5), 5),
      (1, .increment(2), 3),
      (1, .increment(.double(1)), .double(2)),
      (.double(1.5), .increment(1), .double(2.5)),
      (.integer(.max), .increment(1), .integer(.max)),
      (.integer(.min), .increment(-1), .integer(.min)),
      (.double(.nan), .increment(1), .double(.nan)),
      (nil, .maximum(5), 5),
      ("text", .maximum(5), 5),
      (3, .maximum(5), 5),
      (7, .maximum(5), 7),
      (5, .maximum(.double(5)), 5),
      (.double(5), .maximum(5), .double(5)),
      (4, .maximum(.double(4.5)), .double(4.5)),
      (5, .maximum(.double(.nan)), .double(.nan)),
      (.double(.nan), .maximum(5), .double(.nan)),
      (nil, .minimum(5), 5),
      ("text", .minimum(5), 5),
      (3, .minimum(5), 3),
      (7, .minimum(5), 5),
      (5, .minimum(.double(5)), 5),
      (5, .minimum(.double(.nan)), .double(.nan)),
      (.double(.nan), .minimum(1), .double(.nan)),
    ] as [(Value?, Operation, Value)]
  )
  func `number transforms return the new number`(
    stored: Value?,
    operation: Operation,
    result: Value
  ) throws {
    let store = Store()
    if let stored { try store.commit(.set("c/x", ["v": stored])) }
    let commit = try store.commit(.transform("c/x", [FieldTransform(FieldPath("v"), operation)]))
    #expect(try store.fields("c/x") == ["v": result])
    #expect(commit.results[0].transformResults == [result])
  }

  @Test(
    arguments: [
      (nil, .appendMissingElements([1]), [1]),
      ("text", .appendMissingElements([1]), [1]),
      ([1], .appendMissingElements([]), [1]),
      (nil, .appendMissingElements([]), []),
      ([1, 2], .appendMissingElements([2, 3, 1, 4]), [1, 2, 3, 4]),
      ([1, 1], .appendMissingElements([1]), [1, 1]),
      ([1], .appendMissingElements([.double(1), .double(1.5)]), [1, .double(1.5)]),
      (
        [.null, .double(.nan)], .appendMissingElements([.null, .double(.nan)]),
        [.null, .double(.nan)]
      ),
      ([], .appendMissingElements(["a", "b", "a"]), ["a", "b"]),
      ([["a": 1]], .appendMissingElements([["a": .double(1)]]), [["a": 1]]),
      (nil, .removeAllFromArray([1]), []),
      ("text", .removeAllFromArray([1]), []),
      ([1, 2, 1, 3], .removeAllFromArray([1, .double(3)]), [2]),
      ([.null, .double(.nan), 1], .removeAllFromArray([.null, .double(.nan)]), [1]),
      ([1], .removeAllFromArray([]), [1]),
    ] as [(Value?, Operation, Value)]
  )
  func `array transforms return null`(
    stored: Value?,
    operation: Operation,
    array: Value
  ) throws {
    let store = Store()
    if let stored { try store.commit(.set("c/x", ["v": stored])) }
    let commit = try store.commit(.transform("c/x", [FieldTransform(FieldPath("v"), operation)]))
    #expect(try store.fields("c/x") == ["v": array])
    #expect(commit.results[0].transformResults == [.null])
  }

  @Test func `a server timestamp is the same throughout a commit, in milliseconds`() throws {
    let clock = ManualClock(Timestamp(seconds: 7, nanoseconds: 123_456_789))
    let store = Store(clock: clock.now)
    let now = Operation.setToServerValue(.requestTime)
    let commit = try store.commit(
      .set("c/x", transforms: [FieldTransform(FieldPath("a"), now)]),
      .transform(
        "c/y",
        [FieldTransform(FieldPath("b", "c"), now), FieldTransform(FieldPath("d"), now)]
      )
    )
    let instant = Value.timestamp(Timestamp(seconds: 7, nanoseconds: 123_000_000))
    #expect(commit.time == Timestamp(seconds: 7, nanoseconds: 123_456_000))
    #expect(commit.results.map(\.transformResults) == [[instant], [instant, instant]])
    #expect(try store.fields("c/x") == ["a": instant])
    #expect(try store.fields("c/y") == ["b": ["c": instant], "d": instant])
  }

  @Test func `transforms run in order after the update of their write`() throws {
    let store = Store()
    try store.commit(.set("c/x", ["n": 1, "other": 1]))
    let commit = try store.commit(
      .set(
        "c/x",
        ["n": 10],
        mask: ["n"],
        transforms: [
          FieldTransform(FieldPath("n"), .increment(5)),
          FieldTransform(FieldPath("n"), .increment(1)),
          FieldTransform(FieldPath("l"), .appendMissingElements(["a"])),
          FieldTransform(FieldPath("n"), .minimum(3)),
        ]
      )
    )
    #expect(commit.results[0].transformResults == [15, 16, .null, 3])
    #expect(try store.fields("c/x") == ["n": 3, "other": 1, "l": ["a"]])
  }

  @Test func `a transform alone keeps all other fields and replaces a scalar on its path`() throws {
    let store = Store()
    try store.commit(.set("c/x", ["a": 1, "l": [1], "s": "text"]))
    try store.commit(
      .transform(
        "c/x",
        [
          FieldTransform(FieldPath("s", "n"), .increment(1)),
          FieldTransform(FieldPath("l", "n"), .increment(1)),
        ]
      )
    )
    #expect(try store.fields("c/x") == ["a": 1, "l": ["n": 1], "s": ["n": 1]])
  }

  @Test func `a write without transforms has no transform results`() throws {
    #expect(try Store().commit(.set("c/x")).results[0].transformResults == nil)
  }

  @Test(arguments: [Operation.increment("1"), .maximum(.null), .minimum([1])])
  func `a number transform takes numbers only`(operation: Operation) {
    #expect(
      statusError {
        try Store().commit(.transform("c/x", [FieldTransform(FieldPath("a"), operation)]))
      } == invalid("Input must be int64 or double.")
    )
  }

  @Test func `a document has at most five hundred transforms in a commit`() throws {
    let transforms = Array(
      repeating: FieldTransform(FieldPath("n"), .increment(1)),
      count: 250
    )
    let store = Store()
    try store.commit(.transform("c/x", transforms), .set("c/x", transforms: transforms))
    #expect(
      statusError {
        try store.commit(
          .transform("c/x", transforms),
          .set("c/x", transforms: transforms + transforms.prefix(1))
        )
      }?.code == .invalidArgument
    )
  }
}
