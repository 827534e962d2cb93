import Core
import Rules
import Testing

/// Which patterns match an object's name, byte for byte.
struct StorageNameTests {
  private func matches(_ pattern: String, _ request: RulesRequest) throws -> Bool {
    let ruleset = try StorageScene.ruleset("match \(pattern) { allow read; }")
    return StorageScene().decide(request, under: ruleset) == .allowed
  }

  private func get(_ name: String) -> RulesRequest { StorageScene.requests().get(name, nil) }

  @Test(arguments: [
    ("a/b", "/a/b"), ("a/b", "/a/{x}"), ("a/b", "/{x}/{y}"), ("a/b", "/{x=**}"),
    ("a/b", "/a/b/{x=**}"), ("a/b/c/d", "/a/{x=**}"), ("a/b/c/d", "/{x=**}/d"),
    ("a//b", "/{x=**}"), ("a//b", "/a/{x=**}/b"), ("/a/b", "/{x=**}"), ("a/b/", "/a/{x=**}"),
    ("a/../b", "/a/{x}/b"), ("..", "/{x}"), ("./.", "/{x}/{y}"), ("a/\n", "/a/{x}"),
    ("a/\r\n/b", "/a/{x}/b"), ("a/\u{301}", "/a/{x}"), ("\u{e9}", "/{x}"), ("a b", "/{x}"),
  ])
  func `a pattern matches the names that belong to it`(name: String, pattern: String) throws {
    #expect(try matches(pattern, get(name)))
  }

  @Test(arguments: [
    ("a/b", "/a"), ("a/b", "/{x}"), ("a/b", "/a/b/{x}"), ("a/b/c", "/a/{x}"), ("A/b", "/a/b"),
    ("a//b", "/a/b"), ("a//b", "/a/{x}/b"), ("a//b", "/{x}/{y}/{z}"), ("a//b", "/{x}/{y}"),
    ("/a/b", "/a/b"), ("/a/b", "/{x}/a/b"), ("a/b/", "/a/b"), ("a/b/", "/a/b/{x}"),
    ("a/", "/{x}"), ("/", "/{x}"), ("", "/{x}"), ("a/../b", "/b"), ("a/./b", "/a/b"),
    ("a/b\n", "/a/b"), ("\na/b", "/a/b"), ("a%2Fb", "/a/b"), ("a\\b", "/a/b"),
    ("a/\u{301}b", "/a/b"), ("a\u{2044}b", "/a/b"), ("a/b\u{0}", "/a/b"),
    // The first one is one character, the second one two.
    ("\u{e9}", "/e\u{301}"), ("e\u{301}", "/\u{e9}"),
  ])
  func `a pattern doesn't match other names`(name: String, pattern: String) throws {
    // Literals of patterns are ASCII, so another text is compared in the condition.
    guard pattern.utf8.allSatisfy({ $0 < 0x80 }) else {
      let literal = pattern.dropFirst()
      #expect(try StorageScene().refusal(of: get(name), "name == path('/\(literal)')") == "false")
      return
    }
    #expect(try !matches(pattern, get(name)))
  }

  @Test func `a wildcard's value is the text of its segment`() throws {
    let ruleset = try StorageScene.ruleset(
      "match /{a}/{b} { allow read: if a == '..' && b == 'x\\ny' && request.path[4] == b; }"
    )
    #expect(StorageScene().decide(get("../x\ny"), under: ruleset) == .allowed)
    #expect(StorageScene().decide(get("../x\n"), under: ruleset) != .allowed)
  }

  @Test(arguments: [
    ("", "/b/pictures/o"), ("a/", "/b/pictures/o/a"), ("a/b/", "/b/pictures/o/a/b"),
    ("a", "/b/pictures/o/a"),
  ])
  func `a list's path is its prefix without the last slash`(prefix: String, path: String) throws {
    let request = StorageScene.requests().list(prefix: prefix)
    #expect(try StorageScene().refusal(of: request, "request.path == \(path)") == nil)
  }

  @Test(arguments: [
    ("a/y/b", true), ("y/b", true), ("a/b/c/d/e/f/g/y/b", true), ("a/y/b/more/x", true),
    ("more/x", true), ("y", false), ("a/y/b/c", false), ("a/y/b/more", false), ("y/b/x", false),
  ])
  func `blocks inside a recursive wildcard match the end of a name`(name: String, isMatch: Bool)
    throws
  {
    let ruleset = try StorageScene.ruleset(
      "match /{p=**} { match /y/{z} { allow get; } match /more { match /x { allow get; } } }"
    )
    #expect((StorageScene().decide(get(name), under: ruleset) == .allowed) == isMatch)
  }

  @Test func `a list of the whole bucket isn't one of the objects whose names begin with a slash`()
    throws
  {
    let ruleset = try StorageScene.ruleset("allow list;")
    let requests = StorageScene.requests()
    let scene = StorageScene()
    #expect(scene.decide(requests.list(prefix: ""), under: ruleset) == .allowed)
    for prefix in ["/", "a/", "//"] {
      #expect(scene.decide(requests.list(prefix: prefix), under: ruleset) != .allowed)
    }
  }

  @Test func `a bucket's name is one segment`() throws {
    let requests = StorageRequests(
      bucket: "a/o/b",
      caller: .nobody,
      time: StorageScene.time
    )
    let ruleset = try Ruleset(
      compiling: "service firebase.storage { match /b/a/o/{x=**} { allow read; } }"
    )
    #expect(StorageScene().decide(requests.get("c", nil), under: ruleset) != .allowed)
  }
}
