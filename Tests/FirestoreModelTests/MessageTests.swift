import Core
import FirestoreModel
import TestKit
import Testing

struct MessageTests {
  static let name = "projects/p/databases/d/documents/c/x"
  private static let time = Timestamp(seconds: 1_795_249_800, nanoseconds: 123_456_000)

  private static func update(_ fields: Fields = [:]) throws -> Write.Operation {
    .update(Document(name: try DocumentName(name), fields: fields))
  }

  private static func writes() throws -> [(Write, String)] {
    let name = try DocumentName(name)
    return [
      (
        Write(try update(["a": 1])),
        #"{"update":{"fields":{"a":{"integerValue":"1"}},"name":"\#(name)"}}"#
      ),
      (
        Write(try update(), updateMask: FieldMask([FieldPath("a"), FieldPath("b-c", "d")])),
        #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPaths":["a","`b-c`.d"]}}"#
      ),
      (
        Write(try update(), updateMask: FieldMask([])),
        #"{"update":{"name":"\#(name)"},"updateMask":{"fieldPaths":[]}}"#
      ),
      (
        Write(try update(), currentDocument: .exists(false)),
        #"{"currentDocument":{"exists":false},"update":{"name":"\#(name)"}}"#
      ),
      (
        Write(.delete(name), currentDocument: .updateTime(time)),
        #"{"currentDocument":{"updateTime":"2026-11-21T08:30:00.123456Z"},"delete":"\#(name)"}"#
      ),
      (
        Write(.verify(name), currentDocument: .exists(true)),
        #"{"currentDocument":{"exists":true},"verify":"\#(name)"}"#
      ),
      (
        Write(.transform(name, [FieldTransform(FieldPath("n"), .increment(1))])),
        #"{"transform":{"document":"\#(name)","fieldTransforms":[{"fieldPath":"n","increment":"#
          + #"{"integerValue":"1"}}]}}"#
      ),
      (
        Write(
          try update(),
          updateTransforms: [
            FieldTransform(FieldPath("t"), .setToServerValue(.requestTime)),
            FieldTransform(FieldPath("a"), .maximum(.double(1.5))),
            FieldTransform(FieldPath("b"), .minimum(2)),
            FieldTransform(FieldPath("c"), .appendMissingElements(["x"])),
            FieldTransform(FieldPath("d"), .removeAllFromArray([])),
          ]
        ),
        #"{"update":{"name":"\#(name)"},"updateTransforms":[{"fieldPath":"t","setToServerValue":"#
          + #""REQUEST_TIME"},{"fieldPath":"a","maximum":{"doubleValue":1.5}},{"fieldPath":"b","#
          + #""minimum":{"integerValue":"2"}},{"appendMissingElements":{"values":[{"stringValue":"x"}"#
          + #"]},"fieldPath":"c"},{"fieldPath":"d","removeAllFromArray":{"values":[]}}]}"#
      ),
    ]
  }

  @Test func `a write is written in its REST form`() throws {
    for (write, json) in try Self.writes() { #expect(try text(write) == json) }
  }

  @Test func `a query is written in its REST form`() throws {
    #expect(
      try text(StructuredQuery(from: "c", limit: 0))
        == #"{"from":[{"collectionId":"c"}],"limit":0}"#
    )
    var query = StructuredQuery(
      from: "c",
      orderBy: [.init(FieldPath("a", "b"), .descending), .init(FieldPath("__name__"))],
      limit: 5,
      select: [FieldPath("a")]
    )
    query.from = [.init("c", allDescendants: true)]
    query.offset = 2
    #expect(
      try text(query)
        == #"{"from":[{"allDescendants":true,"collectionId":"c"}],"limit":5,"offset":2,"orderBy":[{"#
        + #""direction":"DESCENDING","field":{"fieldPath":"a.b"}},{"field":{"fieldPath":"__name__"}"#
        + #"}],"select":{"fields":[{"fieldPath":"a"}]}}"#
    )
    query = StructuredQuery(from: "c", orderBy: [.init(FieldPath("a"))])
    query.startAt = .init([1], before: true)
    query.endAt = .init([9])
    #expect(
      try text(query)
        == #"{"endAt":{"values":[{"integerValue":"9"}]},"from":[{"collectionId":"c"}],"#
        + #""orderBy":[{"field":{"fieldPath":"a"}}],"#
        + #""startAt":{"before":true,"values":[{"integerValue":"1"}]}}"#
    )
    let filters: [StructuredQuery.Filter] = [
      .field(FieldPath("a"), .in, [.null]), .unary(FieldPath("b"), .isNotNaN),
    ]
    #expect(
      try text(StructuredQuery(from: "c", where: .composite(.or, filters)))
        == #"{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"filters":[{"fieldFilter":{"#
        + #""field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{"values":[{"nullValue":null}]"#
        + #"}}}},{"unaryFilter":{"field":{"fieldPath":"b"},"op":"IS_NOT_NAN"}}],"op":"OR"}}}"#
    )
  }

  @Test(
    arguments: [
      #"{"createTime":"2026-11-21T08:30:00Z","fields":{"a":{"booleanValue":false}},"name":"\#(name)","#
        + #""updateTime":"2026-11-21T08:30:00.000001Z"}"#,
      #"{"name":"\#(name)"}"#,
    ] as [String]
  )
  func `a document is read and written back`(json: String) throws {
    #expect(try text(decode(Document.self, json)) == json)
  }

  @Test func `an unknown member is ignored`() throws {
    let json = #"{"name":"\#(Self.name)","fields":{},"newMember":[1,{"deep":2}]}"#
    #expect(try decode(Document.self, json).fields == [:])
  }

  @Test func `a mask keeps the named fields and their nesting`() throws {
    let document = Document(
      name: try DocumentName(Self.name),
      fields: ["a": ["b": 1, "c": 2], "d": 3]
    )
    let mask = FieldMask([FieldPath("a", "b"), FieldPath("nowhere"), FieldPath("d", "e")])
    #expect(document.masked(by: mask).fields == ["a": ["b": 1]])
    #expect(document.masked(by: FieldMask([])).fields == [:])
    #expect(document.masked(by: nil) == document)
  }
}
