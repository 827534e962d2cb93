import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct QueryScopeTests {
  private static func store() throws -> Store {
    let store = Store()
    try store.commit(
      .set("c/x", ["v": 1]),
      .set("c/x/c/y"),
      .set("c/x/s/z"),
      .set("c/gone/s/w"),
      .set("d/x"),
      .set("d/x/c/y/c/z")
    )
    return store
  }

  private static func query(from selectors: StructuredQuery.CollectionSelector...)
    -> StructuredQuery
  {
    var query = StructuredQuery(from: "")
    query.from = selectors
    return query
  }

  @Test(
    arguments: [
      (query(from: .init("c")), "", ["c/x"]),
      (query(from: .init("c")), "c/x", ["c/x/c/y"]),
      (query(from: .init("s")), "c/gone", ["c/gone/s/w"]),
      (query(from: .init("none")), "", []),
      (query(from: .init("c")), "none/x", []),
      (query(from: .init("c", allDescendants: false)), "", ["c/x"]),
      (query(from: .init("c", allDescendants: true)), "", ["c/x", "c/x/c/y", "d/x/c/y/c/z"]),
      (query(from: .init("c", allDescendants: true)), "d/x", ["d/x/c/y/c/z"]),
      (query(from: .init("s", allDescendants: true)), "", ["c/gone/s/w", "c/x/s/z"]),
      (
        query(from: .init(nil, allDescendants: true)), "",
        ["c/gone/s/w", "c/x", "c/x/c/y", "c/x/s/z", "d/x", "d/x/c/y/c/z"]
      ),
      (query(from: .init("", allDescendants: true)), "c/x", ["c/x/c/y", "c/x/s/z"]),
      (query(), "c/x", ["c/x/c/y", "c/x/s/z"]),
      (query(from: .init(nil)), "", ["c/x", "d/x"]),
    ] as [(StructuredQuery, String, [String])]
  )
  func `a query searches the collections that it selects below its parent`(
    query: StructuredQuery,
    parent: String,
    paths: [String]
  ) throws {
    let found = try Self.store().run(query, parent: resource(parent))
    #expect(found.documents.map(\.name.path.description) == paths)
  }

  @Test func `a range of names finds everything in and below a collection`() throws {
    var all = Self.query(from: .init(nil, allDescendants: true))
    all.filter = .composite(
      .and,
      [
        .field(.documentName, .greaterThanOrEqual, reference("c/\u{0}")),
        .field(.documentName, .lessThan, reference("c\u{0}/\u{0}")),
      ]
    )
    all.select = .init(fields: [.init(.documentName)])
    let found = try Self.store().run(all, parent: resource()).documents
    #expect(found.map(\.name.path.description) == ["c/gone/s/w", "c/x", "c/x/c/y", "c/x/s/z"])
    #expect(found.allSatisfy { $0.fields.isEmpty && $0.updateTime != nil })
  }

  @Test(
    arguments: [
      (nil, ["a": ["b": 1, "c": 2], "d": 3]),
      ([], [:]),
      ([.documentName], [:]),
      ([FieldPath("d")], ["d": 3]),
      ([FieldPath("a", "b"), FieldPath("a", "none"), FieldPath("none")], ["a": ["b": 1]]),
      ([FieldPath("d"), FieldPath("d"), .documentName], ["d": 3]),
    ] as [([FieldPath]?, Fields)]
  )
  func `a projection keeps nesting and omits missing fields`(
    select: [FieldPath]?,
    fields: Fields
  ) throws {
    let store = Store()
    let time = try store.commit(.set("c/x", ["a": ["b": 1, "c": 2], "d": 3])).time
    let found = try store.run(
      StructuredQuery(from: "c", where: .field(FieldPath("d"), .equal, 3), select: select),
      parent: resource()
    )
    #expect(found.documents.map(\.fields) == [fields])
    #expect(found.documents.map(\.createTime) == [time])
    #expect(found.documents.map(\.updateTime) == [time])
  }

  @Test func `an empty answer has a read time`() throws {
    let clock = ManualClock(Timestamp(seconds: 77))
    let found = try Store(clock: clock.now).run(StructuredQuery(from: "c"), parent: resource())
    #expect(found.documents.isEmpty && found.readTime == Timestamp(seconds: 77))
  }

  @Test func `a query's parent is a document or the root`() throws {
    #expect(
      statusError { try Store().run(StructuredQuery(from: "c"), parent: resource("c")) }
        == invalid(
          #"Document parent name "projects/p/databases/d/documents/c" lacks "/" at index 34."#
        )
    )
  }

  @Test(
    arguments: [
      ("a/b", #"Collection id "a/b" is invalid because it contains "/"."#),
      ("__c__", #"Collection id "__c__" is invalid because it is reserved."#),
    ] as [(String, String)]
  )
  func `an invalid collection id is refused`(id: String, message: String) {
    #expect(
      statusError { try Store().run(StructuredQuery(from: id), parent: resource()) }
        == invalid(message)
    )
  }
}
