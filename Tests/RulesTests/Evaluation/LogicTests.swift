import Core
import FirestoreModel
import Rules
import Testing

struct LogicTests {
  private let scene = Scene(documents: ["items/i1": ["n": 1]])

  /// `request.none` is an error, `1` isn't a condition.
  @Test(
    arguments: [
      "true || request.none", "request.none || true", "!(false && request.none)",
      "!(request.none && false)", "1 || true", "!(1 && false)", "!(false && 1)",
      "true ? true : request.none", "false ? request.none : true",
      "(request.none || true) && true", "resource.data.none == 1 || resource.data.n == 1",
    ]
  )
  func `an operand that decides alone does so beside an error`(condition: String) throws {
    #expect(try scene.decide(condition) == .allowed)
  }

  @Test(
    arguments: [
      "request.none", "!request.none", "request.none && true", "true && request.none",
      "request.none || false", "false || request.none", "request.none || request.none",
      "request.none ? true : true", "request.none == request.none", "request.none in [1]",
      "[request.none, 1][1] == 1", "{'a': request.none, 'b': 1}.b == 1", "true && 1", "false || 1",
      "1", "null", "'true'", "request.auth", "[true]", "1 ? true : true", "(true && 1) == 1",
      "/items/$(request.none) != /a/b", "resource.data.n.size() > 0", "undefined == null",
    ]
  )
  func `an error or a value that isn't a condition never allows`(condition: String) throws {
    #expect(try scene.decide(condition) != .allowed)
    let both = try Scene.ruleset(
      "match /items/{id} { allow get: if \(condition); allow get: if !(\(condition)); }"
    )
    #expect(try scene.get("items/i1", under: both) != .allowed)
  }

  @Test func `one statement that allows is enough`() throws {
    let ruleset = try Scene.ruleset(
      """
      match /items/{id} { allow get: if request.none; allow get: if false; }
      match /{path=**} { allow get: if true; }
      """
    )
    #expect(try scene.get("items/i1", under: ruleset) == .allowed)
  }

  @Test func `a denial names the statements and their lines`() throws {
    let ruleset = try Scene.ruleset(
      """
      match /items/{id} { allow get: if request.none; allow list;
        allow read: if false; }
      """
    )
    #expect(
      try scene.get("items/i1", under: ruleset)
        == .denied([
          "Property none is undefined on object. for 'get' @ L4", "false for 'get' @ L5",
        ])
    )
    #expect(
      try scene.get("others/o1", under: ruleset) == .denied(["No matching allow statements"])
    )
  }

  @Test func `a trace has the value of each expression and the place of an error`() throws {
    let ruleset = try Scene.ruleset(
      "match /items/{id} { allow get: if id == 'i1' && request.none; }"
    )
    var outcomes: [String] = []
    let trace = EvaluationTrace { outcome, range in
      switch outcome {
      case .success(let value): outcomes.append("\(range.column) \(value.typeName)")
      case .failure(let error):
        outcomes.append("\(range.column) error at \(error.range?.column ?? 0)")
      }
    }
    _ = try scene.get("items/i1", under: ruleset, trace: trace)
    #expect(
      outcomes == [
        "35 string", "41 string", "35 bool", "49 map", "49 error at 49", "35 error at 49",
      ]
    )
  }
}
