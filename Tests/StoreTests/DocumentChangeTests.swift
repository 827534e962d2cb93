import Core
import FirestoreModel
import Store
import Testing

struct DocumentChangeTests {
  @Test func `two writes to a new document are one creation`() throws {
    let store = Store()
    let commit = try store.commit(.set("c/x", ["a": 1]), .set("c/x", ["b": 2], mask: ["b"]))
    #expect(commit.changes.map(\.kind) == [.created])
    #expect(commit.changes[0].before == nil)
    #expect(try commit.changes[0].after == store.document(name("c/x")))
    #expect(commit.changes[0].after?.fields == ["a": 1, "b": 2])
    #expect(commit.changes[0].changedFields() == [])
  }

  @Test func `a creation and a deletion are no change`() throws {
    let store = Store()
    #expect(try store.commit(.set("c/x"), .delete("c/x")).changes.isEmpty)
    #expect(try store.commit(.delete("c/x")).changes.isEmpty)
    #expect(
      try store.commit(.set("c/y"), .delete("c/y"), .set("c/y")).changes.map(\.kind) == [.created]
    )
  }

  @Test func `a change and its reversal are no change`() throws {
    let store = Store()
    try store.commit(.set("c/x", ["a": 1]))
    #expect(try store.commit(.set("c/x", ["a": 2]), .set("c/x", ["a": 1])).changes.isEmpty)
    #expect(try store.commit(.set("c/x", ["z": 1], mask: [])).changes.isEmpty)
  }

  @Test func `a deletion carries the old document`() throws {
    let store = Store()
    let created = try store.commit(.set("c/x", ["a": 1])).changes[0].after
    let commit = try store.commit(.set("c/x", ["a": 2]), .delete("c/x"))
    #expect(commit.changes.map(\.kind) == [.deleted])
    #expect(commit.changes[0].before == created && commit.changes[0].after == nil)
    #expect(commit.changes[0].changedFields() == [])
  }

  @Test func `a deletion and a creation are one update with a new creation time`() throws {
    let store = Store()
    try store.commit(.set("c/x", ["a": 1]))
    let commit = try store.commit(.delete("c/x"), .set("c/x", ["a": 1]))
    #expect(commit.changes.map(\.kind) == [.updated])
    #expect(commit.changes[0].after?.createTime == commit.time)
  }

  @Test func `changes have the order of the first writes`() throws {
    let commit = try Store().commit(
      .set("c/z"),
      .set("c/a"),
      .set("c/z", ["a": 1]),
      .set("b/b")
    )
    #expect(commit.changes.map(\.name.id) == ["z", "a", "b"])
  }

  @Test(
    arguments: [
      (["a": 1], ["a": 2], ["a"]),
      (["a": 1], ["b": 1], ["a", "b"]),
      (["b": 1, "c": 1, "B": 1], ["b": 2, "c": 1, "B": 2], ["B", "b"]),
      (["m": ["a": 1, "b": 2]], ["m": ["a": 1, "b": 3]], ["m.b"]),
      (["m": ["a": ["x": 1]]], ["m": ["a": ["x": 1, "y": 2]]], ["m.a.y"]),
      (["m": ["a": 1]], ["m": [:]], ["m.a"]),
      (["m": [:]], ["m": ["a": 1]], ["m.a"]),
      (["m": 1], ["m": ["a": 1]], ["m"]),
      (["m": ["a": 1]], [:], ["m"]),
      ([:], ["m": ["a": 1]], ["m"]),
      (["l": [["a": 1]]], ["l": [["a": 2]]], ["l"]),
      (["n": 1], ["n": .double(1)], ["n"]),
      (["v": vector(1, 2)], ["v": vector(1, 3)], ["v"]),
      (
        ["translations": ["pt-BR": "a"]], ["translations": ["pt-BR": "b"]], ["translations.`pt-BR`"]
      ),
      (["m": ["a.b": 1]], ["m": ["a.b": 2]], ["m.`a.b`"]),
    ] as [(Fields, Fields, [String])]
  )
  func `an update names the deepest paths that differ`(
    before: Fields,
    after: Fields,
    paths: [String]
  ) throws {
    let store = Store()
    try store.commit(.set("c/x", before))
    let change = try #require(try store.commit(.set("c/x", after)).changes.first)
    #expect(change.kind == .updated)
    #expect(change.changedFields().map(\.description) == paths)
  }
}
