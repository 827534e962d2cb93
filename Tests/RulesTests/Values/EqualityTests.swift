import Rules
import Testing

struct EqualityTests {
  /// Google's emulator compares numbers in four ways.
  @Test(arguments: [
    ("1", "1.0", operator: true, inList: false, content: false, inSet: true),
    ("0.0", "-0.0", operator: true, inList: true, content: false, inSet: true),
    ("0", "-0.0", operator: true, inList: false, content: false, inSet: true),
    ("float('NaN')", "float('NaN')", operator: false, inList: false, content: false, inSet: true),
    (
      "9007199254740993", "9007199254740992.0", operator: true, inList: false, content: false,
      inSet: false
    ),
    (
      "9007199254740993", "9007199254740992", operator: false, inList: false, content: false,
      inSet: false
    ),
    ("1", "1", operator: true, inList: true, content: true, inSet: true),
    ("1", "'1'", operator: false, inList: false, content: false, inSet: false),
    ("'é'", "'e\\u0301'", operator: false, inList: false, content: false, inSet: false),
    (
      "path('/a/b')", "path('/a/{x}').bind({'x': 'b'})", operator: true, inList: true,
      content: false, inSet: true
    ),
    (
      "{'a': 1}.diff({})", "{'a': 2}.diff({})", operator: false, inList: false, content: true,
      inSet: true
    ),
    ("[1].toSet()", "[1.0].toSet()", operator: true, inList: true, content: true, inSet: true),
    ("[1]", "[1.0]", operator: false, inList: false, content: false, inSet: true),
    ("{'a': 1}", "{'a': 1.0}", operator: false, inList: false, content: false, inSet: true),
    (
      "vector([0.0])", "vector([-0.0])", operator: false, inList: false, content: false, inSet: true
    ),
  ])
  func `equality depends on where the values are`(
    left: String,
    right: String,
    operator isEqual: Bool,
    inList: Bool,
    content: Bool,
    inSet: Bool
  ) throws {
    for (condition, expected) in [
      ("(\(left)) == (\(right))", isEqual),
      ("(\(left)) in [\(right)]", inList),
      ("[\(left)].hasAny([\(right)])", inList),
      ("[\(left)] == [\(right)]", content),
      ("{'x': \(left)} == {'x': \(right)}", content),
      ("(\(left)) in [\(right)].toSet()", inSet),
      ("[\(left)].toSet() == [\(right)].toSet()", inSet),
      ("{'x': \(left)}.diff({'x': \(right)}).changedKeys().size() == 0", inSet),
    ] {
      #expect(try Outcome.of(condition) == (expected ? .allowed : .denied), "\(condition)")
    }
  }

  @Test func `long lists are compared as short ones are`() throws {
    // From 64 comparisons on, an index is used.
    let many = (0..<100).map { "\($0 + 2).5" }.joined(separator: ", ")
    for (condition, isAllowed) in [
      ("[\(many), 0.0].hasAny([-0.0])", true),
      ("[\(many), 1].hasAny([1.0])", false),
      ("[\(many), float('NaN')].hasAll([float('NaN')])", false),
      ("[\(many), [float('NaN')]].hasAll([[float('NaN')]])", false),
      ("[\(many), [0.0]].hasAny([[-0.0]])", false),
      ("[\(many), [float('NaN')].toSet()].hasAny([[float('NaN')].toSet()])", true),
      ("[\(many), {'a': 1}.diff({})].hasAny([{'a': 1}.diff({})])", false),
      ("[\(many), path('/a/b')].hasAny([path('/a/{x}').bind({'x': 'b'})])", true),
      ("[\(many), path('/a/{x}')].hasAny([path('/a/{x}')])", false),
    ] {
      #expect(try Outcome.of(condition) == (isAllowed ? .allowed : .denied), "\(condition)")
    }
  }
}
