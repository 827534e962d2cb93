import Core
import FirestoreModel
import Testing

@testable import Rules

/// The counts of evaluated expressions and their values.
@Suite(.timeLimit(.minutes(10)))
struct RuleCoverageTests {
  private struct NoDocuments: DocumentReader {
    func document(at path: [String]) -> Fields? { nil }
    func documentAfterwards(at path: [String]) -> Fields? { nil }
  }

  /// The coverage of a ruleset that allows `get` on a condition with the variable `id`.
  private struct Covered {
    let ruleset: Ruleset
    let coverage: RuleCoverage

    init(_ condition: String, functions: String = "") throws {
      ruleset = try Ruleset(
        compiling: """
          rules_version = '2';
          service cloud.firestore {
            \(functions)
            match /t/{id} { allow get: if \(condition); }
          }
          """
      )
      coverage = RuleCoverage(of: ruleset)
    }

    func get(_ id: String) {
      let request = RulesRequest(
        service: "cloud.firestore",
        method: .get,
        path: [.named("t"), .named(id)],
        request: .null,
        resource: .null
      )
      let trace = EvaluationTrace(onOutcome: coverage.count)
      var budget = RequestBudget.ofCommit(writeCount: 1)
      _ = ruleset.decide(request, documents: NoDocuments(), budget: &budget, trace: trace)
    }

    /// The texts of the expressions with their values, such as `id == 'x': true ×2`.
    var lines: [String] {
      coverage.counts.map { count in
        let values = count.values.map { "\($0.value) ×\($0.count)" }.joined(separator: ", ")
        return "\(count.text): \(values)"
      }
    }
  }

  @Test func `each expression's values are counted`() throws {
    let covered = try Covered("id == 'x' || id == 'y'")
    for id in ["x", "y", "z", "z"] { covered.get(id) }
    #expect(
      covered.lines == [
        "id == 'x' || id == 'y': true ×2, false ×2",
        "id == 'x': true ×1, false ×3", "id: 'x' ×1, 'y' ×1, 'z' ×2",
        "id == 'y': true ×1, false ×2", "id: 'y' ×1, 'z' ×2",
      ]
    )
  }

  @Test func `a function's variables and result are counted`() throws {
    let covered = try Covered(
      "f(id)",
      functions: "function f(a) { let b = a + '1'; return b == 'x1'; }"
    )
    covered.get("x")
    #expect(
      covered.lines == [
        "let b = a + '1'; return b == 'x1': true ×1", "a + '1': 'x1' ×1", "a: 'x' ×1",
        "b == 'x1': true ×1", "b: 'x1' ×1", "f(id): true ×1", "id: 'x' ×1",
      ]
    )
  }

  @Test func `an operand that isn't needed has an empty value in the report`() throws {
    let covered = try Covered("id == 'x' || id == 'y'")
    covered.get("x")
    let root = try #require(covered.coverage.report.first)
    let second = try #require(root["children"]?.array?.last)
    let empty = JSONValue.object(["value": .object([:]), "count": .integer(1)])
    #expect(second["values"] == .array([empty]))
    #expect(second["children"]?.array?.first?["values"] == .array([empty]))
  }

  @Test func `literals aren't counted`() throws {
    #expect(try Covered("true").lines == [])
    #expect(try Covered("1 == 1").lines == ["1 == 1: "])
  }

  @Test func `an error is counted with its text`() throws {
    let covered = try Covered("request.a == 1")
    covered.get("x")
    #expect(covered.lines.first == "request.a == 1: error: Null value error. ×1")
  }

  // MARK: Gaps

  private func gaps(_ covered: Covered) -> [String] {
    covered.coverage.gaps.map { "\($0.kind.rawValue): \($0.text)" }
  }

  @Test func `what no request has evaluated is a gap, without its parts`() throws {
    let covered = try Covered(
      "id == 'x' || f(id)",
      functions: "function f(a) { let b = a + '1'; return b == 'x1'; }"
    )
    #expect(
      gaps(covered) == [
        "never evaluated: let b = a + '1'; return b == 'x1'",
        "never evaluated: id == 'x' || f(id)",
      ]
    )
    #expect(covered.coverage.expressionCounts == (10, 0))
  }

  @Test func `a condition with one result only is a gap`() throws {
    let covered = try Covered("id == 'x' || id == 'y'")
    covered.get("x")
    #expect(gaps(covered) == ["always true: id == 'x'", "never evaluated: id == 'y'"])
    covered.get("z")
    #expect(gaps(covered) == ["always false: id == 'y'"])
    covered.get("y")
    #expect(gaps(covered) == [])
    #expect(covered.coverage.expressionCounts == (5, 5))
  }

  @Test func `an expression that always fails is a gap`() throws {
    let covered = try Covered("request.a == 1")
    covered.get("x")
    #expect(gaps(covered).contains("always an error: request.a"))
  }

  // MARK: Bounds

  @Test func `values beyond the first twenty are counted together`() throws {
    let covered = try Covered("id == 'x'")
    for number in 0..<30 { covered.get("\(number)") }
    let line = try #require(covered.lines.last)
    #expect(line.hasSuffix("'19' ×1, other values ×10"))
  }

  @Test func `large values are counted without being kept`() throws {
    let covered = try Covered("id == 'x' && [id] == []")
    covered.get(String(repeating: "y", count: 1_025))
    #expect(covered.lines[2] == "id: other values ×1")
  }

  @Test func `all values of a ruleset have one megabyte at most`() throws {
    // Each of 100 expressions has 20 values of 1,000 bytes.
    let conditions = (0..<100).map { "id == '\($0)'" }.joined(separator: " || ")
    let groups = try Covered(
      "(\(conditions))".replacing(" || id == '50'", with: ") || (id == '50'")
    )
    for number in 0..<20 {
      groups.get(String(repeating: String(UnicodeScalar(97 + UInt8(number))), count: 1_000))
    }
    let kept = groups.coverage.counts.flatMap(\.values).map(\.value).filter { $0.hasPrefix("'") }
    #expect(kept.reduce(0) { $0 + $1.utf8.count } <= 1 << 20)
    #expect(kept.count > 1_000)
  }

  @Test func `lists are compared at most twenty times`() throws {
    let covered = try Covered("[id] == ['x']")
    for _ in 0..<25 { covered.get("x") }
    #expect(covered.lines[1].hasSuffix("×20, other values ×5"))
    #expect(covered.lines[0] == "[id] == ['x']: true ×25")
  }

  @Test func `the namespace of rules of Storage is not a gap`() throws {
    let ruleset = try StorageScene.ruleset(
      "match /{id} { allow get: if firestore.exists(/databases/(default)/documents/t/$(id)); }"
    )
    let coverage = RuleCoverage(of: ruleset)
    let scene = StorageScene(documents: ["databases/(default)/documents/t/x": [:]])
    for id in ["x", "y"] {
      var budget = RequestBudget.ofObject()
      let trace = EvaluationTrace(onOutcome: coverage.count)
      let request = StorageScene.requests().get(id, nil)
      _ = ruleset.decide(request, documents: scene, budget: &budget, trace: trace)
    }
    #expect(coverage.gaps.isEmpty)
  }
}
