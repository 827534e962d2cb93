import Rules
import Testing

/// Decisions of Google's emulator under functions outside of services, and in blocks of version 1.
struct RulesetScopeTests {
  @Test(arguments: [
    ("return request.auth != null;", "", true),
    ("return g();", "function g() { return true; }", false),
    ("return false;", "function f() { return true; }", true),
  ])
  func `services call the functions beside them, which don't see the service's own`(
    body: String,
    own: String,
    isAllowed: Bool
  ) throws {
    let ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        function f() { \(body) }
        service cloud.firestore {
          \(own)
          match /{path=**} { allow get: if f(); }
        }
        """
    )
    #expect((try Scene().get("a/b", under: ruleset) == .allowed) == isAllowed)
  }

  @Test func `in version 1 nothing matches in a block with a recursive wildcard`() throws {
    for inner in ["/{x}", "/b", "/{rest=**}"] {
      let block = "match \(inner) { allow get; }"
      for outer in ["/a/{path=**}", "/{path=**}"] {
        let ruleset = try Scene.ruleset("match \(outer) { \(block) }", version: 1)
        #expect(try Scene().get("a/b", under: ruleset) != .allowed)
        #expect(try Scene().get("a/b/c/d", under: ruleset) != .allowed)
      }
    }
    let ruleset = try Scene.ruleset("match /a/{path=**} { match /{x} { allow get; } }")
    #expect(try Scene().get("a/b", under: ruleset) == .allowed)
  }
}
