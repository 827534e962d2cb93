import Rules
import Testing

/// The warnings that `emulator rules check` adds to those of the compiler.
struct RulesLintTests {
  private static func lines(_ service: String, _ text: String) -> [String] {
    Ruleset.lint("rules_version = '2'; service \(service) {\n\(text)\n}").map(\.line)
  }

  @Test(arguments: [
    ("match /databases/{d}/documents/a/{b} { allow read; }", []),
    ("match /databases/{d}/documents { match /a/{b=**} { allow read; } }", []),
    ("match /{all=**} { allow read; }", []), ("match /{a=**}/b/{c} { allow read; }", []),
    ("match /{a}/{b}/{c}/d/e { allow read; }", []),
    (
      "match /databases/{d}/documents { match /a { allow read; match /{b} { allow read; } } }",
      ["2:34 No request matches /databases/{d}/documents/a: it names a collection, not a document."]
    ),
    (
      "match /databases/{d}/documents { allow read; }",
      ["2:1 No request matches /databases/{d}/documents: it names the database, not a document."]
    ),
    (
      "match /a/{b} { allow read; }",
      ["2:1 No request matches /a/{b}: paths begin with /databases/{database}/documents."]
    ),
    (
      "match /databases/{d}/docs/{a=**} { allow read; }",
      [
        "2:1 No request matches /databases/{d}/docs/{a=**}: paths begin with /databases/{database}/documents."
      ]
    ),
  ])
  func `a block of Firestore that no request reaches is reported`(text: String, lines: [String]) {
    #expect(Self.lines("cloud.firestore", text) == lines)
  }

  @Test(arguments: [
    ("match /b/{bucket}/o { match /{all=**} { allow read; } }", []),
    ("match /b/{bucket}/o/a/b/c { allow read; }", []),
    ("match /b/{bucket}/o { allow list; }", []),
    (
      "match /a/{b=**} { allow read; }",
      ["2:1 No request matches /a/{b=**}: paths of objects begin with /b/{bucket}/o."]
    ),
  ])
  func `a block of Storage that no request reaches is reported`(text: String, lines: [String]) {
    #expect(Self.lines("firebase.storage", text) == lines)
  }

  @Test(arguments: [
    ("allow read; allow get: if id == 'a'; allow write: if id == 'b';", [13]),
    ("allow get: if id == 'a'; allow read: if true;", [1]), ("allow read; allow read;", [13]),
    ("allow get; allow list; allow read: if id == 'a';", [24]), ("allow get; allow read;", []),
    ("allow read: if id == 'a'; allow read: if id == 'b';", []),
  ])
  func `a statement whose methods are allowed anyway is reported`(text: String, columns: [Int]) {
    let source = "match /databases/{d}/documents/a/{id} {\n\(text) }"
    let issues = Self.lines("cloud.firestore", source)
    #expect(
      issues
        == columns.map {
          "3:\($0) This statement has no effect: the block allows the same methods without a condition."
        }
    )
  }

  @Test func `a text that does not compile has its errors only`() {
    #expect(Self.lines("cloud.firestore", "match /a {}").count == 1)
  }
}
