import Core
import FirestoreModel
import Rules
import Testing

/// The explanation of a decision: each evaluated expression, with its values.
struct DecisionExplanationTests {
  private static let scene = Scene(documents: [
    "items/i1": ["owner": "alice", "tags": ["a", "b"], "n": 1]
  ])

  /// Returns the rows for a condition: depth, text and values.
  private func rows(_ condition: String, functions: String = "") throws -> [String] {
    let ruleset = try Scene.ruleset(
      "match /items/{id} { \(functions) allow get: if \(condition); }"
    )
    return try Self.scene.explanation(of: "items/i1", under: ruleset).rows.map { row in
      "\(row.depth) \(row.text) = \(row.values.joined(separator: " | "))"
    }
  }

  @Test func `each part has its value, and a step of another part isn't one`() throws {
    #expect(
      try rows("resource.data.owner == request.auth.uid && 'c' in resource.data.tags && id == 'x'")
        == [
          "0 resource.data.owner == request.auth.uid && 'c' in resource.data.tags && id == 'x' = false",
          "1 resource.data.owner == request.auth.uid = true",
          "2 resource.data.owner = 'alice'",
          "2 request.auth.uid = 'alice'",
          "1 'c' in resource.data.tags = false",
          "2 resource.data.tags = ['a', 'b']",
        ]
    )
  }

  @Test func `an error is the value of a part`() throws {
    #expect(
      try rows("resource.data.missing == 1")
        == [
          "0 resource.data.missing == 1 = error: Property missing is undefined on object.",
          "1 resource.data.missing = error: Property missing is undefined on object.",
        ]
    )
  }

  @Test func `a function has a value for each call, and closing brackets`() throws {
    let calls = (1...7).map { "isSmall(\($0))" }.joined(separator: " && ")
    let found = try rows(
      calls,
      functions: "function isSmall(x) { let y = x * 2; return (y < 20); }"
    )
    #expect(found.contains("1 isSmall(1) = true"))
    #expect(found.contains("0 (y < 20) = true | true | true | true | true | further values"))
    #expect(found.contains("0 x * 2 = 2 | 4 | 6 | 8 | 10 | further values"))
    #expect(!found.contains { $0.contains("let") })
  }

  @Test func `comments are left out`() throws {
    let found = try rows(
      """
      (resource.data.n == 1 // it's ) one
        && /* ' */ resource.data.owner == 'a//b')
      """
    )
    #expect(
      found.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.contains(
        "0 (resource.data.n == 1 && resource.data.owner == 'a//b') = false"
      ),
      "\(found)"
    )
  }

  @Test(arguments: [
    ("resource.data", "{'n': 1, 'owner': 'alice', 'tags': ['a', 'b']}"),
    ("resource.data.tags.toSet()", "['a', 'b'].toSet()"),
    ("request.path", "/databases/(default)/documents/items/i1"),
    ("duration.value(90, 's')", "90s"),
    ("'it\\'s'.toUtf8()", "4 bytes"),
    ("resource.data.diff({'n': 2, 'x': 1})", "a difference in ['n', 'x', 'owner', 'tags']"),
    ("[null, true, 1.5, 'it\\'s']", #"[null, true, 1.5, 'it\'s']"#),
    ("latlng.value(1, 2)", "latlng.value(1.0, 2.0)"),
  ])
  func `values are written as rules write them`(expression: String, text: String) throws {
    let found = try rows("\(expression) == 'x'")
    #expect(found.contains { $0.hasSuffix(" = \(text)") }, "\(found)")
  }

  @Test func `long values are cut`() throws {
    let scene = Scene(documents: [
      "items/i1": ["text": .string(String(repeating: "ü", count: 100_000))]
    ])
    let ruleset = try Scene.ruleset("match /items/{id} { allow get: if resource.data.text == id; }")
    let rows = try scene.explanation(of: "items/i1", under: ruleset).rows
    #expect(rows[1].values[0].utf8.count <= 1_010)
    #expect(rows[1].values[0].contains("…"))
  }
}
