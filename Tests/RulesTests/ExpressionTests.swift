import Rules
import Testing

/// The trees of expressions and the places of their parts. The expectations are taken from the
/// coverage that Google's emulator reports.
struct ExpressionTests {
  @Test(arguments: [
    ("a || b && c", "(a || (b && c))"), ("a in b == c", "(a in (b == c))"),
    ("a in b in c", "((a in b) in c)"), ("a == b < c", "(a == (b < c))"),
    ("a == b == c", "((a == b) == c)"), ("a - b - c", "((a - b) - c)"),
    ("a + b * c % d", "(a + ((b * c) % d))"), ("!a in b", "(!(a) in b)"), ("!a.b", "!(a.b)"),
    ("-a * b", "(-(a) * b)"), ("a == b is int", "((a == b) is int)"),
    ("a in b is int", "(a in (b is int))"), ("a is int < b", "((a is int) < b)"),
    ("a && b is int", "(a && (b is int))"), ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"), ("a || b ? c : d", "((a || b) ? c : d)"),
    ("a[0:b].c(d)[e]", "a[0:b].c(d)[e]"), ("/a/$(b)/c / d", "(/a/$(b)/c / d)"),
    ("x - -1", "(x - -(1))"), ("{a: [b]}", "{a: [b]}"),
  ])
  func `operators have the precedence of Google's compiler`(text: String, tree: String) throws {
    #expect(try RulesetText.parse(text)?.tree == tree)
  }

  @Test(arguments: [
    ("(1 + 2) * a == 9", ["(1 + 2) * a == 9", "(1 + 2) * a", "(1 + 2", "a"]),
    ("!(a in [1,2])", ["!(a in [1,2", "(a in [1,2", "a", "[1,2"]),
    ("exists(/a/$(b))", ["exists(/a/$(b", "/a/$(b", "b"]), ("/a/$(b)/c", ["/a/$(b)/c", "b"]),
    ("f() && 'a'.b()", ["f() && 'a'.b", "f", "'a'.b"]),
    ("a[b][0:1]", ["a[b][0:1", "a[b", "a", "b"]),
    ("a[:]", ["a", "a"]), ("-(a).b", ["-(a).b", "(a).b", "a"]), ("-(a)", ["-(a", "a"]),
    ("((a))", ["((a"]), ("a is int", ["a is int", "a"]), ("[(1)] == a", ["[(1)] == a", "[(", "a"]),
    ("a ? (b) : c", ["a ? (b) : c", "a", "(b", "c"]), ("'é😀' == a", ["'é😀' == a", "a"]),
    ("a\n.b", ["a\n.b", "a"]), ("a == (1)", ["a == (", "a"]),
  ])
  func `a place lacks closing brackets`(text: String, places: [String]) throws {
    let source = Array(RulesetText.condition(text).unicodeScalars)
    let expression = try #require(try RulesetText.parse(text))
    #expect(
      expression.places.map { range in
        String(String.UnicodeScalarView(source[range.start...range.end]))
      } == places
    )
  }

  @Test func `columns and offsets count Unicode scalars`() throws {
    let expression = try #require(try RulesetText.parse("'e\u{301}😀' == 'a' ||\r\n b"))
    guard case .binary(.or, let left, let right) = expression.kind else {
      Issue.record("not an operator")
      return
    }
    #expect(left.token.column == 7)
    #expect(right.range.line == 7)
    #expect(right.range.column == 2)
    #expect(right.range.start - left.range.start == 18)
  }

  @Test(arguments: [
    (#"'\x41\u00e9\101\n\'\\'"#, "Aé\u{41}\n'\\"), (#""\ud83d\ude00\377""#, "😀ÿ"),
    (#"'\ud800'"#, "\u{fffd}"), ("''", ""), ("'e\u{301}'", "e\u{301}"),
  ])
  func `a string's escape sequences are replaced`(text: String, value: String) throws {
    guard case .literal(.string(let string)) = try RulesetText.parse(text)?.kind else {
      Issue.record("not a string")
      return
    }
    #expect(string.unicodeScalars.elementsEqual(value.unicodeScalars))
  }

  @Test func `a bytes literal has the bytes of its characters`() throws {
    guard case .literal(.bytes(let bytes)) = try RulesetText.parse(#"b'a\xff\000é'"#)?.kind else {
      Issue.record("not bytes")
      return
    }
    #expect(Array(bytes) == [0x61, 0xff, 0x00, 0xc3, 0xa9])
  }
}

extension Expression {
  /// The parts of the expression, in the order of the text.
  private var parts: [Expression] {
    switch kind {
    case .literal, .variable: []
    case .list(let elements), .call(_, let elements): elements
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .path(let parts):
      parts.compactMap { if case .computed(let part) = $0 { part } else { nil } }
    case .member(let base, _), .unary(_, let base), .typeCheck(let base, _): [base]
    case .element(let base, let index): [base, index]
    case .slice(let base, let from, let to): [base] + [from, to].compactMap { $0 }
    case .methodCall(let base, _, let arguments): [base] + arguments
    case .binary(_, let left, let right): [left, right]
    case .conditional(let condition, let first, let second): [condition, first, second]
    }
  }

  /// The places of the expression and its parts, without those of literals.
  fileprivate var places: [SourceRange] {
    if case .literal = kind { return [] }
    return [range] + parts.flatMap(\.places)
  }

  /// The expression with parentheses around each operation.
  fileprivate var tree: String {
    let texts = parts.map(\.tree)
    let list = texts.joined(separator: ", ")
    switch kind {
    case .literal(.integer(let value)): return "\(value)"
    case .literal: return "literal"
    case .variable(let name): return name
    case .list: return "[\(list)]"
    case .map: return "{\(texts.joined(separator: ": "))}"
    case .call(let name, _): return "\(name)(\(list))"
    case .member(_, let name): return "\(texts[0]).\(name)"
    case .element: return "\(texts[0])[\(texts[1])]"
    case .slice: return "\(texts[0])[\(texts.dropFirst().joined(separator: ":"))]"
    case .methodCall(_, let name, _):
      return "\(texts[0]).\(name)(\(texts.dropFirst().joined(separator: ", ")))"
    case .unary(let op, _): return "\(op.rawValue)(\(texts[0]))"
    case .binary(let op, _, _): return "(\(texts[0]) \(op.rawValue) \(texts[1]))"
    case .typeCheck(_, let type): return "(\(texts[0]) is \(type))"
    case .conditional: return "(\(texts[0]) ? \(texts[1]) : \(texts[2]))"
    case .path(let parts):
      return parts.map { part in
        switch part {
        case .literal(let name): "/\(name)"
        case .computed(let part): "/$(\(part.tree))"
        }
      }.joined()
    }
  }
}
