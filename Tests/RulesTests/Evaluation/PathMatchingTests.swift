import Rules
import Testing

struct PathMatchingTests {
  private func isAllowed(_ path: String, _ body: String, version: Int = 2) throws -> Bool {
    try Scene().get(path, under: Scene.ruleset(body, version: version)) == .allowed
  }

  @Test(
    arguments: [
      ("/a/{x}", ["a/b"], ["a/b/c/d", "b/a"]),
      ("/a/b", ["a/b"], ["a/c"]),
      ("/a/{x=**}", ["a/b", "a/b/c/d"], ["b/a"]),
      ("/{x=**}", ["a/b", "a/b/c/d"], []),
      ("/{x=**}/d", ["a/d", "a/b/c/d"], ["a/b/c/e", "d/a"]),
      ("/{x=**}/c/{y}", ["c/d", "a/b/c/d"], ["a/b"]),
      ("/a/{x=**}/c/{y}", ["a/b/c/d"], ["a/b", "c/d"]),
      ("/a/b/{x=**}", ["a/b", "a/b/c/d"], ["a/c"]),
      ("/a", [], ["a/b"]),
    ]
  )
  func `a pattern matches whole paths`(
    pattern: String,
    matching: [String],
    others: [String]
  ) throws {
    let body = "match \(pattern) { allow get; }"
    for path in matching { #expect(try isAllowed(path, body), "\(path)") }
    for path in others { #expect(try !isAllowed(path, body), "\(path)") }
  }

  @Test func `blocks continue the patterns of the blocks around them`() throws {
    let body = "match /a/{x} { match /c/{y} { allow get: if x == 'b' && y == 'd'; } }"
    #expect(try isAllowed("a/b/c/d", body))
    #expect(try !isAllowed("a/b", body))
    #expect(try !isAllowed("a/x/c/d", body))
    #expect(try isAllowed("a/b", "match /a/{x} { match /{rest=**} { allow get; } }"))
  }

  @Test(
    arguments: [
      ("/a/{x=**}", "x == /b"), ("/a/{x=**}", "x[0] == 'b'"), ("/a/{x=**}", "string(x) == '/b'"),
      ("/a/b/{x=**}", "x is path"), ("/{x=**}/{y}", "x == /a && y == 'b'"),
      ("/{x}/{y}", "x == 'a' && y == 'b' && database == '(default)'"),
    ]
  )
  func `a recursive wildcard is a path, any other a string`(
    pattern: String,
    condition: String
  ) throws {
    #expect(try isAllowed("a/b", "match \(pattern) { allow get: if \(condition); }"))
  }

  @Test func `in version 1 a recursive wildcard takes at least one segment`() throws {
    let body = "match /a/b/{x=**} { allow get; }"
    #expect(try !isAllowed("a/b", body, version: 1))
    #expect(try isAllowed("a/b/c/d", body, version: 1))
  }

  @Test func `the methods of a statement are those that it names`() throws {
    for (methods, isAllowed) in [("get", true), ("read", true), ("list, write", false)] {
      let body = "match /a/{x} { allow \(methods); }"
      #expect(try self.isAllowed("a/b", body) == isAllowed)
    }
  }

  @Test func `rules of another service don't decide`() throws {
    let ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        service firebase.storage { match /{path=**} { allow get; } }
        """
    )
    #expect(try Scene().get("a/b", under: ruleset) == .denied(["No matching allow statements"]))
  }
}
