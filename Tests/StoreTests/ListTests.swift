import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct ListTests {
  @Test func `pages follow one another and end without a token`() throws {
    let store = try Store.holding(["a": 1, "b": 2, "c": 3, "d": 4, "__id7__": 0])
    let collection = try resource("c")
    let first = try store.list(collection: collection, pageSize: 2)
    #expect(first.documents.map(\.name.id) == ["__id7__", "a"])
    let token = try #require(first.nextPageToken)
    try store.commit(.delete("c/a"), .set("c/aa", ["v": 5]))
    let second = try store.list(collection: collection, pageSize: 3, pageToken: token)
    #expect(second.documents.map(\.name.id) == ["aa", "b", "c"])
    let last = try store.list(
      collection: collection,
      pageSize: 3,
      pageToken: second.nextPageToken
    )
    #expect(last.documents.map(\.name.id) == ["d"])
    #expect(last.nextPageToken == nil)
  }

  @Test func `a page with all documents has no token`() throws {
    let store = try Store.holding(["a": 1, "b": 2])
    let page = try store.list(collection: resource("c"), pageSize: 2, pageToken: "")
    #expect(page.documents.count == 2 && page.nextPageToken == nil)
    #expect(try store.list(collection: resource("none")).documents.isEmpty)
  }

  @Test(arguments: [(0, 100), (150, 150), (300, 300), (1_000, 300)] as [(Int, Int)])
  func `a page has 100 documents by default, and at most 300`(size: Int, count: Int)
    throws
  {
    let store = Store()
    _ = try store.commit((0..<301).map { try .set("c/\($0)") }, in: database)
    let page = try store.list(collection: resource("c"), pageSize: size)
    #expect(page.documents.count == count && page.nextPageToken != nil)
  }

  @Test func `missing documents with descendants are listed by name alone`() throws {
    let store = Store()
    try store.commit(.set("c/b", ["v": 1]), .set("c/a/s/x"), .set("c/z/s/x/t/y"))
    #expect(try store.list(collection: resource("c")).documents.map(\.name.id) == ["b"])
    let shown = try store.list(collection: resource("c"), showMissing: true).documents
    #expect(shown.map(\.name.id) == ["a", "b", "z"])
    #expect(shown.map(\.fields) == [[:], ["v": 1], [:]])
    #expect(shown.map { $0.createTime == nil } == [true, false, true])
    try store.commit(.delete("c/a/s/x"))
    #expect(
      try store.list(collection: resource("c"), showMissing: true).documents.map(\.name.id)
        == ["b", "z"]
    )
  }

  @Test func `an invalid list request is refused`() throws {
    let store = Store()
    #expect(
      statusError { try store.list(collection: resource("c"), pageSize: -1) }
        == invalid("Page size must be nonnegative.")
    )
    for token in ["*", "Lw==", "/w=="] {
      #expect(
        statusError { try store.list(collection: resource("c"), pageToken: token) }
          == invalid("invalid page token")
      )
    }
    let first = try store.list(collection: resource("c"), pageSize: 1)
    #expect(first.nextPageToken == nil)
    try store.commit(.set("c/x"), .set("c/y"))
    let token = try store.list(collection: resource("c"), pageSize: 1).nextPageToken
    #expect(
      statusError { try store.list(collection: resource("d"), pageToken: token) }
        == invalid("invalid page token")
    )
    #expect(
      statusError { try store.list(collection: resource(), showMissing: true) }
        == invalid("show_missing needs a collection id.")
    )
  }

  @Test func `without a collection id all documents directly below are listed`() throws {
    let store = Store()
    try store.commit(.set("a/x"), .set("a/x/s/y"), .set("b/x"), .set("a/x/t/z"))
    let found = { (path: String) in
      try store.list(collection: resource(path)).documents.map(\.name.path.description)
    }
    #expect(try found("") == ["a/x", "b/x"])
    #expect(try found("a/x") == ["a/x/s/y", "a/x/t/z"])
    #expect(try found("b/x") == [])
  }

  @Test func `a collection exists as long as anything below it does`() throws {
    let store = Store()
    try store.commit(.set("b/x"), .set("a/gone/s/x/t/y"), .set("B/x"), .set("é/x"))
    #expect(try store.collectionIDs(below: resource()).ids == ["B", "a", "b", "é"])
    #expect(try store.collectionIDs(below: resource("a/gone")).ids == ["s"])
    #expect(try store.collectionIDs(below: resource("a/gone/s/x")).ids == ["t"])
    #expect(try store.collectionIDs(below: resource("b/x")).ids == [])
    #expect(try store.collectionIDs(below: resource("none/x")).ids == [])
    try store.commit(.delete("a/gone"), .delete("b/x"), .delete("none/x"))
    #expect(try store.collectionIDs(below: resource()).ids == ["B", "a", "é"])
    try store.commit(.delete("a/gone/s/x/t/y"))
    #expect(try store.collectionIDs(below: resource()).ids == ["B", "é"])
  }

  @Test func `deleting a document keeps the documents below it`() throws {
    let store = Store()
    try store.commit(.set("c/x"), .set("c/x/s/y", ["v": 1]))
    try store.commit(.delete("c/x"))
    #expect(try store.fields("c/x/s/y") == ["v": 1])
  }

  @Test func `several documents are read in one snapshot, including missing ones`() throws {
    let store = Store()
    try store.commit(.set("c/x", ["v": 1]), .set("c/y", ["v": 2]))
    let names = [try name("c/x"), try name("c/none"), try name("c/x"), try name("c/y")]
    let found = try store.documents(names).documents
    #expect(found.mapValues(\.fields) == [names[0]: ["v": 1], names[3]: ["v": 2]])
  }
}
