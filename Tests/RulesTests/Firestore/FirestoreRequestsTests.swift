import Core
import FirestoreModel
import Rules
import Testing

struct FirestoreRequestsTests {
  private static let name = try? DocumentName(
    "projects/demo/databases/(default)/documents/items/i1"
  )

  private static func update(
    _ fields: Fields = ["n": 1],
    mask: [FieldPath]? = nil,
    transforms: [FieldPath] = [],
    _ precondition: Precondition? = nil
  ) throws -> Write {
    Write(
      .update(Document(name: try #require(name), fields: fields)),
      updateMask: mask.map { FieldMask($0) },
      updateTransforms: transforms.map { FieldTransform($0, .increment(1)) },
      currentDocument: precondition
    )
  }

  private static func delete() throws -> Write { Write(.delete(try #require(name))) }

  private func request(
    _ writes: [Write],
    before: Fields? = nil,
    after: Fields? = ["n": 1]
  ) throws -> RulesRequest {
    QueryProbe.requests.commit(
      writes,
      to: try ResourcePath("items/i1"),
      before: before,
      after: after
    )
  }

  @Test func `the method of a commit follows from the writes to a document`() throws {
    let (set, delete) = (try Self.update(), try Self.delete())
    let create = try Self.update([:], .exists(false))
    let update = try Self.update([:], .exists(true))
    let verify = Write(.verify(try #require(Self.name)), currentDocument: .exists(true))
    let cases: [(writes: [Write], exists: Bool, method: RulesMethod)] = [
      ([set], false, .create), ([set], true, .update),
      ([create], true, .create), ([update], false, .update),
      ([try Self.update([:], .updateTime(Timestamp(seconds: 1)))], false, .update),
      ([delete], false, .delete), ([set, delete], false, .delete),
      ([delete, set], true, .update), ([delete, create], true, .update),
      ([set, update], false, .create), ([create, set], false, .create),
      ([verify], true, .get),
    ]
    for item in cases {
      let request = try request(item.writes, before: item.exists ? [:] : nil)
      #expect(request.method == item.method, "\(item)")
    }
  }

  @Test(
    arguments: [
      "request.resource.data.n == 1 && resource.data.n == 0",
      "request.resource.id == 'i1' && resource.id == 'i1' && id == 'i1'",
      "request.path == /databases/(default)/documents/items/i1",
      "request.resource.__name__ == request.path",
      "request.inTransaction && request.headers == {} && request.readFields == null",
      "request.transforms == ['d', 'c.x'] && request.writeFields == ['d', 'c.x', 'a', 'b']",
      "request.auth.uid == 'alice' && request.auth.token.level == 3",
      "request.time == timestamp.value(1700000000000)",
      "!('query' in request) && !('fields' in request) && !('autoId' in request)",
    ]
  ) func `a commit's request has the document before and after`(condition: String) throws {
    let write = try Self.update(
      mask: [FieldPath("b"), FieldPath("a")],
      transforms: [FieldPath("d"), FieldPath("c", "x")]
    )
    let probe = try QueryProbe(condition)
    #expect(probe.allows(try request([write], before: ["n": 0])))
  }

  @Test func `a document that doesn't exist is null`() throws {
    let create = try QueryProbe("resource == null && request.resource.data.n == 1")
    #expect(create.allows(try request([try Self.update()])))
    let delete = try QueryProbe("request.resource == null && resource.data.n == 1")
    #expect(delete.allows(try request([try Self.delete()], before: ["n": 1], after: nil)))
  }

  @Test(
    arguments: [
      ("resource.data.n == 1 && request.method == 'get'", ["n": 1], true),
      ("resource.id == 'i1' && resource.__name__ == request.path", [:], true),
      ("resource == null", nil, true),
      ("resource.data.n == 1", nil, false),
      ("request.resource == null", ["n": 1], false),
      ("request.fields == null && !request.inTransaction", [:], true),
    ] as [(String, Fields?, Bool)]
  ) func `a get's request has the document`(
    condition: String,
    fields: Fields?,
    isAllowed: Bool
  ) throws {
    #expect(try QueryProbe(condition).allowsGet(of: fields) == isAllowed)
  }

  @Test(
    arguments: [
      ("request.query.limit == 5 && request.query.offset == 2", true),
      ("request.query.orderBy == {'a.b': 'DESC', 'c': 'ASC'}", true),
      ("request.query.kind == 'items' && request.query.parent == null", true),
      ("request.fields == ['n']", true),
      ("request.path == /databases/(default)/documents/items", true),
      ("'resource' in request || 'ancestor' in request.query", false),
      ("request.resource == null", false),
    ]
  ) func `a query's request describes the query`(condition: String, isAllowed: Bool) throws {
    var query = StructuredQuery(
      from: "items",
      orderBy: [.init(FieldPath("a", "b"), .descending), .init(FieldPath("c"))],
      limit: 5,
      select: [FieldPath("n"), .documentName]
    )
    query.offset = 2
    #expect(try QueryProbe(condition).allows(query) == isAllowed)
  }

  @Test(
    arguments: [
      ("request.query.limit == null && request.query.offset == 0", true),
      ("request.query.ancestor == /databases/(default)/documents/a/b", true),
      ("'path' in request", true),
      ("request.path != null", false),
      ("'parent' in request.query", false),
    ]
  ) func `a collection group has no path`(condition: String, isAllowed: Bool) throws {
    var query = StructuredQuery(from: "items")
    query.from[0].allDescendants = true
    let probe = try QueryProbe(condition, match: "/{above=**}/items/{id}")
    #expect(try probe.allows(query, in: "a/b") == isAllowed)
  }

  @Test func `nobody's auth is null`() throws {
    let requests = FirestoreRequests(
      database: DatabaseName(project: "demo"),
      caller: .nobody,
      time: Timestamp(seconds: 0)
    )
    let request = requests.get(try ResourcePath("items/i1"), [:])
    #expect(try QueryProbe("request.auth == null").allows(request))
    #expect(try !QueryProbe("request.auth.uid == 'alice'").allows(request))
  }
}
