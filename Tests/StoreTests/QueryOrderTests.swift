import Core
import FirestoreModel
import Store
import Testing

struct QueryOrderTests {
  private static func store() throws -> Store {
    let store = Store()
    try store.commit(
      .set("c/1", ["a": 1, "b": 2, "v": 1]),
      .set("c/2", ["a": 1, "b": 1, "v": 2]),
      .set("c/3", ["a": 2, "b": 1, "v": 1]),
      .set("c/4", ["a": 2, "b": 2]),
      .set("c/5", ["b": 3, "v": 2]),
      .set("c/6", ["a": .null, "b": 1, "v": .null])
    )
    return store
  }

  private static let a = FieldPath("a")
  private static let b = FieldPath("b")

  @Test(
    arguments: [
      (query(), ["1", "2", "3", "4", "5", "6"]),
      (query(orderBy: [Order(a)]), ["6", "1", "2", "3", "4"]),
      (query(orderBy: [Order(a, .descending)]), ["4", "3", "2", "1", "6"]),
      (query(orderBy: [Order(a), Order(b)]), ["6", "2", "1", "3", "4"]),
      (query(orderBy: [Order(a), Order(b, .descending)]), ["6", "1", "2", "4", "3"]),
      (query(orderBy: [Order(a, .descending), Order(b)]), ["3", "4", "2", "1", "6"]),
      (
        query(orderBy: [Order(b), Order(.documentName, .descending)]),
        ["6", "3", "2", "4", "1", "5"]
      ),
      (query(orderBy: [Order(.documentName)]), ["1", "2", "3", "4", "5", "6"]),
      (query(orderBy: [Order(.documentName, .descending)]), ["6", "5", "4", "3", "2", "1"]),
      (query(orderBy: [Order(FieldPath("nowhere"))]), []),
      (query(.field(a, .greaterThan, 0)), ["1", "2", "3", "4"]),
      (query(.field(b, .greaterThan, 0)), ["2", "3", "6", "1", "4", "5"]),
      (
        query(.composite(.and, [.field(b, .greaterThan, 0), .field(a, .greaterThan, 0)])),
        ["2", "1", "3", "4"]
      ),
      (
        query(.field(b, .greaterThan, 0), orderBy: [Order(a, .descending)]),
        ["4", "3", "1", "2", "6"]
      ),
      (query(.field(b, .equal, 1)), ["2", "3", "6"]),
      (query(.field(b, .in, [2, 1])), ["1", "2", "3", "4", "6"]),
      (
        query(.composite(.or, [.field(a, .equal, 2), .field(b, .greaterThan, 1)])),
        ["3", "1", "4", "5"]
      ),
      (query(.composite(.or, [.field(b, .equal, 3), .field(a, .notEqual, 1)])), ["3", "4"]),
      (query(.unary(a, .isNotNull)), ["1", "2", "3", "4"]),
      (query(.unary(a, .isNull)), ["6"]),
      (
        query(.field(.documentName, .greaterThan, reference("c/2")), orderBy: [Order(b)]),
        ["3", "6", "4", "5"]
      ),
      (
        query(
          .composite(
            .and,
            [
              .field(.documentName, .greaterThan, reference("c/1")), .field(b, .lessThan, 3),
            ]
          )
        ), ["2", "3", "6", "4"]
      ),
    ] as [(StructuredQuery, [String])]
  )
  func `the order is the explicit one, then compared fields, then the name`(
    query: StructuredQuery,
    ids: [String]
  ) throws {
    #expect(try Self.store().ids(query) == ids)
  }

  @Test func `all types have one order, and equal values are sorted by name`() throws {
    let store = try Store.holding([
      "map": [:], "vector": vector(1), "array": [], "geo": .geoPoint(latitude: 0, longitude: 0),
      "ref": reference("c/x"), "text": "", "time": .timestamp(Timestamp(seconds: 0)), "b1": 1,
      "a1": .double(1), "nan": .double(.nan), "true": true, "null": .null,
    ])
    let order = [
      "null", "true", "nan", "a1", "b1", "time", "text", "ref", "geo", "array", "vector", "map",
    ]
    #expect(try store.ids(query(orderBy: [Order(v)])) == order)
    #expect(try store.ids(query(orderBy: [Order(v, .descending)])) == order.reversed())
  }

  @Test func `names are sorted numbers first, then by bytes`() throws {
    let ids = ["__id-5__", "__id9__", "__id10__", "10", "9", "B", "_", "a", "é"]
    let store = try Store.holding(Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) }))
    #expect(try store.ids(query()) == ids)
  }

  @Test(
    arguments: [
      (0, nil, ["a", "b", "c", "d"]), (0, 0, []), (0, 2, ["a", "b"]), (1, 2, ["b", "c"]),
      (3, 2, ["d"]), (4, nil, []), (9, 9, []),
    ] as [(Int, Int?, [String])]
  )
  func `the limit applies after the offset`(offset: Int, limit: Int?, ids: [String]) throws {
    let store = try Store.holding(["a": 1, "b": 1, "c": 1, "d": 1])
    #expect(try store.ids(query(offset: offset, limit: limit)) == ids)
  }

  // MARK: Cursors

  @Test(
    arguments: [
      (Cursor([2], before: true), nil, ["c", "d", "e", "text"]),
      (Cursor([2], before: false), nil, ["e", "text"]),
      (Cursor([2]), nil, ["e", "text"]),
      (nil, Cursor([2], before: true), ["null", "a", "b"]),
      (nil, Cursor([2], before: false), ["null", "a", "b", "c", "d"]),
      (nil, Cursor([2]), ["null", "a", "b", "c", "d"]),
      (Cursor([1], before: true), Cursor([2], before: true), ["a", "b"]),
      (Cursor([1], before: false), Cursor([3], before: true), ["c", "d"]),
      (Cursor([.double(1.5)], before: true), nil, ["c", "d", "e", "text"]),
      (Cursor([.null]), nil, ["a", "b", "c", "d", "e", "text"]),
      (Cursor([""], before: true), nil, ["text"]),
      (Cursor([false], before: true), nil, ["a", "b", "c", "d", "e", "text"]),
      (Cursor([3], before: true), Cursor([1]), []),
      (Cursor([]), Cursor(nil), ["null", "a", "b", "c", "d", "e", "text"]),
    ] as [(Cursor?, Cursor?, [String])]
  )
  func `a cursor cuts the order before or after its values`(
    start: Cursor?,
    end: Cursor?,
    ids: [String]
  ) throws {
    let store = try Store.holding([
      "null": .null, "a": 1, "b": .double(1), "c": 2, "d": 2, "e": 3, "text": "x",
    ])
    #expect(try store.ids(query(orderBy: [Order(v)], from: start, to: end)) == ids)
    // With descending order and swapped cursors, the query must return the same documents in
    // reverse.
    let swapped = { (cursor: Cursor?) in
      cursor.map { Cursor($0.values, before: $0.before != true) }
    }
    #expect(
      try store.ids(
        query(orderBy: [Order(v, .descending)], from: swapped(end), to: swapped(start))
      )
        == ids.reversed()
    )
  }

  @Test func `a cursor may have fewer values than the order, and the document's name last`() throws
  {
    let store = try Self.store()
    let order = [Order(Self.a), Order(Self.b), Order(.documentName)]
    #expect(try store.ids(query(orderBy: order, from: Cursor([1]))) == ["3", "4"])
    #expect(try store.ids(query(orderBy: order, from: Cursor([1, 1]))) == ["1", "3", "4"])
    #expect(
      try store.ids(query(orderBy: order, from: Cursor([1, 2, reference("c/0")])))
        == ["1", "3", "4"]
    )
    #expect(
      try store.ids(query(orderBy: order, from: Cursor([1, 2, reference("c/1")]))) == ["3", "4"]
    )
  }

  @Test func `a cursor by name alone pages through a collection`() throws {
    let store = try Self.store()
    let order = [Order(.documentName, .descending)]
    #expect(
      try store.ids(query(orderBy: order, from: Cursor([reference("c/4")]), limit: 2))
        == ["3", "2"]
    )
    #expect(
      try store.ids(
        query(orderBy: order, from: Cursor([reference("c/4")], before: true), offset: 1, limit: 1)
      )
        == ["3"]
    )
  }
}
