import Core
import FirestoreModel
import Rules
import Testing

struct FunctionCallTests {
  private let scene = Scene(documents: ["items/i1": ["n": 1]])

  @Test(
    arguments: [
      ("function f() { return id == 'i1'; }", "f()"),
      ("function f(id) { return id == 1; }", "f(1)"),
      ("function f(request) { return request == 1; }", "f(1)"),
      ("function f() { let id = 1; return id == 1; }", "f()"),
      ("function f() { let a = 1; let b = a + 1; return b == 2; }", "f()"),
      ("function f(a) { return g(a) + 1; } function g(a) { return a * 2; }", "f(3) == 7"),
      ("function get(x) { return x; }", "get(true)"),
      ("function int(x) { return 5; }", "int('1') == 5"),
    ]
  )
  func `a function sees its parameters, its lets and the scopes around it`(
    functions: String,
    condition: String
  ) throws {
    #expect(try scene.decide(condition, functions: functions) == .allowed)
  }

  @Test(
    arguments: [
      ("function f() { return q == 1; } function g(q) { return f(); }", "g(1)"),
      ("function f() { return q == 1; } function g() { let q = 1; return f(); }", "g()"),
      ("function f() { let b = a; let a = 1; return b == 1; }", "f()"),
    ]
  )
  func `a function doesn't see its caller's variables, nor later lets`(
    functions: String,
    condition: String
  ) throws {
    #expect(try scene.refusal(condition, functions: functions) == "Null value error.")
  }

  @Test func `a function of an outer block doesn't see inner wildcards`() throws {
    let ruleset = try Scene.ruleset(
      "function f() { return id == 'i1'; } match /items/{id} { allow get: if f(); }"
    )
    #expect(try scene.get("items/i1", under: ruleset) != .allowed)
  }

  @Test func `the function of the nearest block is called`() throws {
    let ruleset = try Scene.ruleset(
      """
      function f() { return false; }
      match /items/{id} { function f() { return true; } allow get: if f(); }
      """
    )
    #expect(try scene.get("items/i1", under: ruleset) == .allowed)
  }

  @Test(
    arguments: [
      ("function f(a) { return true; }", "f(request.foo)"),
      ("function f(a) { return a == 1 || true; }", "f(request.foo)"),
      ("function f() { let a = request.foo; return true; }", "f()"),
      ("function f() { let a = request.foo; return a == 1 || true; }", "f()"),
    ]
  )
  func `an argument or let that can't be evaluated matters only where it is used`(
    functions: String,
    condition: String
  ) throws {
    #expect(try scene.decide(condition, functions: functions) == .allowed)
  }

  @Test(
    arguments: [
      ("f(1)", "Incorrect number of arguments. Received: 1. Expected: f(a, b)."),
      ("f(1, 2, 3)", "Incorrect number of arguments. Received: 3. Expected: f(a, b)."),
      ("g(1)", "Function not found error: Name: [g]."),
      ("id.f(1, 2)", "Function not found error: Name: [f]."),
      ("math.g(1)", "Function not found error: Name: [math.g]."),
      ("nothing.abs(1)", "Null value error."),
    ]
  )
  func `a call that isn't possible is an error`(condition: String, reason: String) throws {
    let function = "function f(a, b) { return true; }"
    #expect(try scene.refusal("\(condition) == 1", functions: function) == reason)
  }
}
