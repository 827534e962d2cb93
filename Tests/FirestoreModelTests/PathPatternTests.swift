import Core
import FirestoreModel
import TestKit
import Testing

struct PathPatternTests {
  @Test(
    arguments: [
      ("users/{id}", "users/ada", ["id": "ada"]),
      ("users/{id}", "rooms/ada", nil),
      ("users/{id}", "users/ada/notes/n", nil),
      ("users/ada", "users/ada", [:]),
      ("users/ada", "users/bob", nil),
      ("users/*", "users/ada", [:]),
      ("*/*", "users/ada", [:]),
      ("*/*", "users/ada/notes/n", nil),
      ("{c}/{d=*}", "users/ada", ["c": "users", "d": "ada"]),
      ("conversations/{c}/messages/{m}", "conversations/1/messages/2", ["c": "1", "m": "2"]),
      ("conversations/{c}/messages/{m}", "conversations/1/members/2", nil),
      ("{x=**}", "users/ada", ["x": "users/ada"]),
      ("{x=**}", "users/ada/notes/n", ["x": "users/ada/notes/n"]),
      ("**", "users/ada/notes/n", [:]),
      ("users/**", "users/ada/notes/n", [:]),
      ("users/**", "rooms/1", nil),
      ("users/{x=**}", "users/ada/notes/n", ["x": "ada/notes/n"]),
      ("{x=**}/notes/{n}", "users/ada/notes/n", ["x": "users/ada", "n": "n"]),
      ("{x=**}/notes/{n}", "notes/n", ["x": "", "n": "n"]),
      ("{x=**}/notes/{n}", "users/ada/other/n", nil),
      ("**/notes/**", "a/b/notes/c", [:]),
      ("{x=**}/a/{y=**}", "a/a/a/a", ["x": "", "y": "a/a/a"]),
      ("users/a*", "users/ada", [:]),
      ("users/a*", "users/bob", nil),
      ("users/*a", "users/ada", [:]),
      ("users/*b", "users/ada", nil),
      ("users/a*a", "users/ada", [:]),
      ("users/a*a", "users/a", nil),
      ("users/a*d*a", "users/abdba", [:]),
      ("users/a*d*d*a", "users/ada", nil),
      ("users/a**a", "users/aa", [:]),
      ("users/a**x*a", "users/aa", nil),
      ("users/***", "users/x", [:]),
      ("us*/{id}", "users/ada", ["id": "ada"]),
      ("users/{id}", "users/{id}", ["id": "{id}"]),
    ] as [(String, String, [String: String]?)]
  )
  func `a pattern matches a path and captures its variables`(
    pattern: String,
    path: String,
    captures: [String: String]?
  ) throws {
    #expect(try PathPattern(pattern).match(ResourcePath(path)) == captures)
  }

  @Test(
    arguments: [
      ("**", "a", [:]), ("**", "a//b/", [:]), ("**", "/", [:]), ("a", "a", [:]), ("a", "a/", nil),
      ("avatars/{uid}/{file}", "avatars/u/", nil), ("avatars/{uid}/{file}", "avatars//f", nil),
      ("avatars/{uid}/{file}", "avatars/u/f", ["uid": "u", "file": "f"]),
      ("avatars/{path=**}", "avatars/u/", ["path": "u/"]), ("*/f", "/f", nil),
      ("*.png", "a.png", [:]), ("*.png", "a/b.png", nil), ("**/*.png", "a//b.png", [:]),
      ("e\u{301}", "\u{E9}", nil),
    ] as [(String, String, [String: String]?)]
  )
  func `a pattern of objects matches a name, which may have empty segments`(
    pattern: String,
    name: String,
    captures: [String: String]?
  ) throws {
    let segments = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    #expect(try PathPattern(ofObjects: pattern).match(segments) == captures)
  }

  @Test(
    arguments: ["", "users", "users/{id}/notes", "users//x", "/users/x", "users/x/", "*"]
      as [String]
  )
  func `a pattern that no document can match is refused`(pattern: String) {
    #expect(statusError { try PathPattern(pattern) }?.code == .invalidArgument)
  }

  @Test func `a pattern lists its variables in order`() throws {
    let pattern = try PathPattern("a/{b}/c/*/{d=**}/e/{f=*}")
    #expect(pattern.names == ["b", "d", "f"])
    #expect(pattern.description == "a/{b}/c/*/{d=**}/e/{f=*}")
  }
}
