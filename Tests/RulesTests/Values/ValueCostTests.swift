import Core
import FirestoreModel
import Rules
import Testing

struct ValueCostTests {
  private static let numbers: Fields = [
    "up": .array((0..<20_000).map { .integer($0) }),
    "down": .array((0..<20_000).reversed().map { .integer($0) }),
    "lists": .array((0..<20_000).map { [.integer($0), "a"] }),
  ]

  @Test(arguments: [
    "resource.data.up.hasAll(resource.data.down)",
    "resource.data.up.hasOnly(resource.data.down)",
    "!resource.data.up.hasAny(resource.data.lists)",
    "resource.data.lists.hasOnly(resource.data.lists)",
    "resource.data.up.removeAll(resource.data.down) == []",
    "resource.data.up.toSet() == resource.data.down.toSet()",
    "resource.data.up.toSet().union(resource.data.lists.toSet()).size() == 40000",
    "resource.data.up.toSet().difference(resource.data.down.toSet()).size() == 0",
    "resource.data.lists == resource.data.lists",
    "resource.data.up.join(',').split(',').size() == 20000",
  ])
  func `the cost of comparing long lists is linear`(condition: String) throws {
    #expect(try Outcome.of(condition, Self.numbers) == .allowed)
  }

  @Test(arguments: [
    ("resource.data.s", "_ + _"),
    ("[resource.data.s]", "_.concat(_)"),
    ("resource.data.s", "_.replace('a', _)"),
  ])
  func `values that double have a limit`(value: String, double: String) throws {
    func doubled(_ name: String) -> String { double.replacing("_", with: name) }
    // f9(x) doubles x 27 times with few expressions.
    let functions = (1...9).map { level in
      "function f\(level)(x) { let a = \(doubled("x")); let b = \(doubled("a")); "
        + "let c = \(doubled("b")); return f\(level - 1)(c); }"
    }
    let fields: Fields = ["s": .string(String(repeating: "a", count: 1_000))]
    let rules = functions.joined(separator: " ") + " function f0(x) { return x != null; }"
    #expect(
      try Outcome.of("f9(\(value))", fields, functions: rules) == .failed("The value is too large.")
    )
  }

  @Test(arguments: ["x == x", "x in [x]", "[x].toSet().size() == 1", "[x].hasAny([x])"])
  func `lists of more than 100 levels aren't compared`(condition: String) throws {
    let functions = (1...9).map { level in
      "function f\(level)(x) { return f\(level - 1)(\(nested("x", levels: 20))); }"
    }
    let rules = functions.joined(separator: " ") + " function f0(x) { return \(condition); }"
    #expect(
      try Outcome.of("f9(1)", functions: rules) == .failed("The value is too large.")
    )
    #expect(try Outcome.of("f4(1)", functions: rules) == .allowed)
  }

  private func nested(_ value: String, levels: Int) -> String {
    String(repeating: "[", count: levels) + value + String(repeating: "]", count: levels)
  }

  @Test func `lists that contain themselves many times are compared within a limit`() throws {
    let functions = (1...9).map { level in
      "function f\(level)(x) { let a = [x, x]; let b = [a, a]; let c = [b, b]; "
        + "return f\(level - 1)(c); }"
    }
    for end in ["x == x", "x in [x]", "[x].toSet().size() == 1", "[x].hasAny([x])"] {
      let rules = functions.joined(separator: " ") + " function f0(x) { return \(end); }"
      #expect(
        try Outcome.of("f9(1)", functions: rules) == .failed("The value is too large."),
        "\(end)"
      )
    }
  }
}
