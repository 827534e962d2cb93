import Core
import FirestoreModel
import Rules
import Testing

struct LimitTests {
  private let scene = Scene(
    documents: Dictionary(uniqueKeysWithValues: (0..<30).map { ("items/i\($0)", ["n": 1]) })
  )

  @Test func `nothing is allowed once a request's time is over`() throws {
    let ruleset = try Scene.ruleset("match /items/{id} { allow get: if true; }")
    for (time, expected) in [
      (Duration.seconds(3_600), Decision.allowed),
      (.zero, .denied(["The rules take too long. for 'get' @ L4"])),
    ] {
      let budget = RequestBudget.ofDocument(time: time)
      #expect(try scene.get("items/i1", under: ruleset, budget: budget) == expected)
    }
  }

  /// The conditions have at most 1,000 expressions with the first count of elements, and more with
  /// one element more. `[…] != 0` are three. Source: Google's emulator.
  @Test(
    arguments: [
      ("1", 997), ("id", 997), ("(1)", 997), ("request.auth", 498), ("request.auth.uid", 332),
      ("1 + 1", 332), ("true && true", 249), ("false && true", 498), ("true || true", 498),
      ("false || true", 249), ("!true", 498), ("true ? 1 : 2", 249), ("false ? 1 : 2", 166),
      ("/a/b", 332),
      ("/a/$(id)", 332), ("id.size()", 498), ("math.abs(1)", 498), ("int(1)", 498),
      ("1 is int", 332), ("id[0]", 332), ("id[0:1]", 249), ("id[:1]", 249),
      ("id[0:]", 249), ("id[:]", 249), ("[1]", 498), ("{'a': 1}", 332),
      ("f()", 498), ("g(1)", 332), ("g(1 + 1)", 199), ("h()", 124),
    ]
  )
  func `a request evaluates at most 1,000 expressions`(element: String, most: Int) throws {
    let functions = """
      function f() { return 1; }
      function g(a) { return a; }
      function h() { let a = 1 + 1; return [a, a]; }
      """
    for (count, isAllowed) in [(most, true), (most + 1, false)] {
      let list = Array(repeating: element, count: count).joined(separator: ",")
      let refusal = try scene.refusal("[\(list)] != 0", functions: functions)
      #expect((refusal == nil) == isAllowed)
      if let refusal { #expect(refusal.contains("maximum of 1000 expressions")) }
    }
  }

  @Test(arguments: [
    ("!", "", "true"), ("[", "]", "true"), ("{'a': ", "}", "true"), ("false || (", ")", "true"),
    ("[0][", "]", "0"), ("[1].concat(", ")", "[]"), ("1 + (", ")", "1"), ("/a/$(", ")", "'b'"),
    ("true ? ", " : 1", "1"), ("true in [", "].toSet()", "true"),
  ])
  func `deep expressions have no limit but their number`(
    prefix: String,
    suffix: String,
    core: String
  ) throws {
    // Fewer levels than the greatest height, in each of 20 functions.
    let prefix = String(repeating: prefix, count: 40)
    let suffix = String(repeating: suffix, count: 40)
    let functions = (0..<20).map {
      "function f\($0)() { return \(prefix)f\($0 + 1)()\(suffix); }"
    }
    let last = "function f20() { return \(core); }"
    let refusal = try scene.refusal(
      "f0() == f0() || true",
      functions: (functions + [last]).joined(separator: " ")
    )
    #expect(refusal == nil || refusal?.contains("maximum of 1000 expressions") == true)
  }

  @Test func `a request that has too many expressions isn't allowed by a later statement`() throws {
    let list = Array(repeating: "1", count: 999).joined(separator: ",")
    let ruleset = try Scene.ruleset(
      "match /items/{id} { allow get: if [\(list)] == 0 || true; allow get: if true; }"
    )
    #expect(try scene.get("items/i1", under: ruleset) != .allowed)
  }

  /// Each call makes texts of 24 MiB.
  @Test(arguments: [(2, true), (3, false)])
  func `the values of a request have a limit together`(count: Int, isAllowed: Bool) throws {
    let scene = Scene(documents: [
      "items/i1": ["text": .string(String(repeating: "x", count: 1 << 20))]
    ])
    let doubled = (1...3).reduce("resource.data.text") { text, _ in "(\(text) + \(text))" }
    let functions = "function eight() { return \(doubled); }"
    let condition = Array(repeating: "eight().size() > 0", count: count).joined(separator: " && ")
    let refusal = try scene.refusal(condition, functions: functions)
    #expect(refusal == (isAllowed ? nil : "The value is too large."))
  }

  @Test(arguments: [
    "int(resource.data.text)", "'a'.matches(resource.data.text + '(')",
    "{'a': 1}[resource.data.text]", "get(/databases/$(database)/documents/c/$(resource.data.text))",
  ])
  func `a long value is cut in an error`(expression: String) throws {
    let text = String(repeating: "ü", count: 100_000)
    let scene = Scene(documents: ["items/i1": ["text": .string(text)]])
    let refusal = try #require(try scene.refusal("\(expression) == 1"))
    #expect(refusal.utf8.count <= 1_003)
    #expect(refusal.hasSuffix("…"))
  }

  private static func reads(_ functions: [String], from: Int = 0) -> String {
    functions.enumerated().map { index, name in
      "\(name)(/databases/(default)/documents/items/i\(from + index))"
    }.joined(separator: " != null && ")
  }

  @Test func `a request reads at most ten documents besides its own`() throws {
    let ten = Self.reads(Array(repeating: "exists", count: 10), from: 2)
    #expect(try scene.decide("\(ten) && exists(request.path)") == .allowed)
    #expect(try scene.decide("\(ten) && \(ten)") == .allowed)
    let eleven = Self.reads(Array(repeating: "exists", count: 11), from: 2)
    let refusal = try #require(try scene.refusal(eleven))
    #expect(refusal.hasPrefix("Service call error. Function: [exists]"))
    #expect(
      try scene.decide("\(ten) && (exists(/databases/(default)/documents/items/i25) || true)")
        == .allowed
    )
  }

  @Test func `reading a document and asking whether it exists count apart`() throws {
    let ten = Self.reads(Array(repeating: "exists", count: 10), from: 2)
    #expect(
      try scene.decide("\(ten) && existsAfter(/databases/(default)/documents/items/i2)") == .allowed
    )
    #expect(
      try scene.decide("\(ten) && get(/databases/(default)/documents/items/i2) != null") != .allowed
    )
  }
}
