import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct DocumentLimitTests {
  private static func nested(_ levels: Int, around value: Value = 1) -> Value {
    (0..<levels).reduce(value) { inner, _ in ["a": inner] }
  }

  private static let long = ByteKey(String(repeating: "x", count: 1_501))
  private static let huge = String(repeating: "x", count: 1_048_488)

  @Test(
    arguments: [
      ["a": nested(20)], ["a": nested(19, around: [1])],
      [ByteKey(String(repeating: "x", count: 1_500)): 1],
      ["__a": 1, "a__": 1, "___": 1], ["a": [["b": [1]]]], ["a": vector(1)],
      ["a": .geoPoint(latitude: 90, longitude: -180)], ["a": reference("c/x/d/__id7__")],
      ["a": .timestamp(Timestamp(seconds: -62_135_596_800))],
      ["a": .timestamp(Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999))],
      ["a": .bytes(Data(count: 1_048_487))], ["a": .array([vector(1)].map { ["v": $0] })],
      [
        "a": [
          "__type__": "__vector__", "value": .array(Array(repeating: .double(1), count: 2_048)),
        ]
      ],
    ] as [Fields]
  )
  func `a document within the limits is stored`(fields: Fields) {
    #expect(statusError { try Store().commit(.set("c/x", fields)) } == nil)
  }

  @Test(
    arguments: [
      (["a": nested(21)], "Property a contains an invalid nested entity."),
      (["a": nested(20, around: [1])], "Property a contains an invalid nested entity."),
      (["": 1], "The property.name is the empty string."),
      (["a": ["": 1]], "Property a contains an invalid nested entity."),
      ([long: 1], "The property.name is longer than 1500 bytes."),
      (["a": [.map([long: 1])]], "Property a contains an invalid nested entity."),
      (["__x__": 1], "field name __x__ is reserved"),
      (["a": ["__x__": 1]], "field name '__x__' is reserved."),
      (["a": [["b": ["__x__": 1]]]], "field name '__x__' is reserved."),
      (["a": .string(huge)], #"The value of property "a" is longer than 1048487 bytes."#),
      (
        ["a": .bytes(Data(count: 1_048_488))],
        #"The value of property "a" is longer than 1048487 bytes."#
      ),
      (["a": ["b": .string(huge)]], "Property a contains an invalid nested entity."),
      (["a": [[1]]], "Cannot convert an array value in an array value."),
      (["a": [["b": [[]]]]], "Cannot convert an array value in an array value."),
      (["a": [vector(1)]], "Cannot convert a vector value in an array value."),
      (["a": ["__type__": "__vector__", "value": 1]], "Vector Value type must be an array."),
      (["a": ["__type__": "__vector__"]], "Vector Value type must be an array."),
      (
        ["a": ["__type__": "__vector__", "value": [.double(1)], "b": 1]],
        "Vector Value map has extraneous entries."
      ),
      (["a": ["__type__": "__vector__", "value": []]], "Cannot have a zero length vector."),
      (
        ["a": ["__type__": "__vector__", "value": [1]]],
        "Vector must only contain values of type 'double'"
      ),
      (
        [
          "a": [
            "__type__": "__vector__",
            "value": .array(Array(repeating: .double(1), count: 2_049)),
          ]
        ],
        "Vectors must be at most 2048 dimensions."
      ),
      (
        ["a": .geoPoint(latitude: 91, longitude: 0)],
        "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
      ),
      (
        ["a": .geoPoint(latitude: .nan, longitude: 0)],
        "Geo point latitude 'NaN' outside permitted range -90.0 to 90.0."
      ),
      (
        ["a": [.geoPoint(latitude: 0, longitude: -180.5)]],
        "Geo point longitude '-180.5' outside permitted range -180.0 to 180.0."
      ),
      (
        ["a": .timestamp(Timestamp(seconds: 253_402_300_800))],
        "A timestamp is outside of the years 0001 to 9999."
      ),
      (
        ["a": .timestamp(Timestamp(seconds: -62_135_596_801))],
        "A timestamp is outside of the years 0001 to 9999."
      ),
    ] as [(Fields, String)]
  )
  func `a document that exceeds a limit is refused`(fields: Fields, message: String) {
    #expect(statusError { try Store().commit(.set("c/x", fields)) } == invalid(message))
  }

  @Test(arguments: ["foo", "", "projects/p/databases/d/documents/c"])
  func `a reference must be a document's name`(name: String) {
    #expect(
      statusError { try Store().commit(.set("c/x", ["a": .reference(name)])) }?.code
        == .invalidArgument
    )
  }

  // The size of the empty document `c/x` is 16 + 2 + 2 bytes for its name and another 32. A field
  // whose name has one letter, with a string of n bytes, adds 2 + n + 1 bytes.

  @Test func `a document has at most 1 MiB by production's arithmetic`() throws {
    let store = Store()
    let parts: Fields = ["a": .string(String(repeating: "x", count: 1_000_000))]
    let rest = 1_048_576 - 52 - 1_000_003 - 3
    try store.commit(
      .set("c/x", parts.merging(["b": .string(String(repeating: "é", count: rest / 2))]) { $1 })
    )
    #expect(
      statusError {
        try store.commit(
          .set(
            "c/x",
            ["b": .string(String(repeating: "x", count: rest + 1))],
            mask: ["b"]
          )
        )
      }
        == invalid(
          "Document 'projects/p/databases/d/documents/c/x' cannot be written because its size "
            + "(1,048,577 bytes) exceeds the maximum allowed size of 1,048,576 bytes."
        )
    )
    try store.commit(
      .set("c/x", ["b": .string(String(repeating: "x", count: rest))], mask: ["b"])
    )
  }

  @Test(
    arguments: [
      (.null, 1), (true, 1), (1, 8), (.double(1), 8), (.timestamp(Timestamp(seconds: 0)), 8),
      ("é", 3), (.bytes(Data(count: 5)), 5), (.geoPoint(latitude: 0, longitude: 0), 16),
      (reference("c/x"), 20), ([1, .null], 9), (["bc": 1], 11), ([:], 0), ([], 0),
    ] as [(Value, Int)]
  )
  func `every type has its size`(value: Value, size: Int) {
    // The two strings fill the document to its limit, next to the value of the tested size.
    let overhead = 52 + 2 + 3
    let full = String(repeating: "x", count: 1_048_576 - overhead - 3 - size)
    let half = full.prefix(1_000_000)
    let rest = full.dropFirst(1_000_000)
    let fields: Fields = ["v": value, "s": .string(String(half)), "t": .string(String(rest))]
    #expect(statusError { try Store().commit(.set("c/x", fields)) } == nil)
    let more = fields.merging(["t": .string(String(rest) + "x")]) { $1 }
    #expect(
      statusError { try Store().commit(.set("c/x", more)) }?.message
        .contains("its size (1,048,577 bytes)") == true
    )
  }

  @Test func `a commit has at most 10 MiB`() throws {
    let text = Value.string(String(repeating: "x", count: 1_000_000))
    let writes = try (0..<11).map { try Write.set("c/\($0)", ["a": text]) }
    #expect(
      statusError { try Store().commit(writes, in: database) }
        == invalid("Transaction too big. Decrease transaction size.")
    )
    #expect(statusError { try Store().commit(Array(writes.dropLast()), in: database) } == nil)
  }

  @Test(arguments: [(21, true), (22, false), (100_000, false)] as [(Int, Bool)])
  func `a path has at most the depth of a document's path`(names: Int, isValid: Bool) throws {
    let path = Array(repeating: "a", count: names).joined(separator: ".")
    let transform = FieldTransform(try FieldPath(parsing: path), .increment(1))
    for write in [try Write.set("c/x", mask: [path]), try .transform("c/x", [transform])] {
      let error = statusError { try Store().commit(write) }
      #expect(
        error == (isValid ? nil : invalid("Property a contains an invalid nested entity."))
      )
    }
  }

  @Test func `a merge and a transform can't exceed a limit`() throws {
    let store = Store()
    let deep = (["m"] + Array(repeating: "a", count: 21)).joined(separator: ".")
    #expect(
      statusError {
        try store.commit(
          .transform("c/x", [FieldTransform(FieldPath(parsing: deep), .increment(1))])
        )
      } == invalid("Property m contains an invalid nested entity.")
    )
    #expect(
      statusError {
        try store.commit(
          .transform("c/x", [FieldTransform(FieldPath("a"), .appendMissingElements([[1]]))])
        )
      } == invalid("Cannot convert an array value in an array value.")
    )
  }
}
