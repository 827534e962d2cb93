import Core
import FirestoreModel
import Rules
import Testing

/// A query that rules allow must find no document that they don't let one get.
struct QuerySoundnessTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `an allowed query finds only documents that can be got`(seed: UInt64) throws {
    var random = RandomQueries(seed: seed)
    let documents = RandomQueries.documents
    // Queries that are allowed, and those of them that find something.
    var (allowed, finding) = (0, 0)
    for _ in 0..<40 {
      let condition = random.condition(depth: 0)
      let probe = try QueryProbe(condition)
      var unreadable: [Fields]?
      for _ in 0..<25 {
        let filter = random.filter()
        guard try probe.allows(where: filter) else { continue }
        allowed += 1
        if documents.contains(where: { filter.finds($0) }) { finding += 1 }
        let hidden = try unreadable ?? documents.filter { try !probe.allowsGet(of: $0) }
        unreadable = hidden
        for fields in hidden where filter.finds(fields) {
          Issue.record("\(condition) with \(filter) finds \(fields)")
        }
      }
    }
    #expect(allowed > 30)
    #expect(finding > 20)
  }
}

/// Conditions and filters on the fields `n`, `m` and `n.k`.
///
/// Doubles have a fraction: to Firestore 1 and 1.0 are equal, to rules they aren't always.
private struct RandomQueries: RandomNumberGenerator {
  private static let values: [(text: String, value: Value)] = [
    ("null", .null), ("true", true), ("0", 0), ("1", 1), ("2", 2), ("3", 3), ("4", 4),
    ("2.5", .double(2.5)), ("3.5", .double(3.5)), ("float('NaN')", .double(.nan)),
    ("9007199254740993", 9_007_199_254_740_993), ("-1.5", .double(-1.5)),
    ("timestamp.value(0)", .timestamp(Timestamp(seconds: 0))),
    ("request.time", .timestamp(Timestamp(seconds: 1_700_000_000))), ("'a'", "a"), ("'b'", "b"),
    ("'c'", "c"),
    ("[3]", [3]), ("['b']", ["b"]), ("[3, 4]", [3, 4]), ("[]", []),
    ("{'k': 1}", ["k": 1]), ("{'k': 3, 'l': 'a'}", ["k": 3, "l": "a"]),
  ]

  /// Documents with and without each field, with all pairs of values.
  static let documents: [Fields] = {
    var documents: [Fields] = [[:], ["z": 1], ["z": "a"]]
    for (_, n) in values {
      documents.append(["n": n])
      documents.append(["n": n, "z": 3])
      documents.append(["m": n])
      for m in [1, 3, "b", [3, 4], ["k": 1]] as [Value] {
        documents.append(["n": n, "m": m, "z": "b"])
      }
    }
    for (_, k) in values {
      documents.append(["n": ["k": k]])
      documents.append(["n": ["k": k, "l": 1], "m": 2])
    }
    return documents
  }()

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: choices.indices, using: &self)]
  }

  // MARK: Conditions

  mutating func condition(depth: Int) -> String {
    switch depth > 2 ? 0 : Int.random(in: 0..<8, using: &self) {
    case 0...3: atom()
    case 4: "(\(condition(depth: depth + 1)) && \(condition(depth: depth + 1)))"
    case 5, 6: "(\(condition(depth: depth + 1)) || \(condition(depth: depth + 1)))"
    default: "!(\(condition(depth: depth + 1)))"
    }
  }

  private mutating func atom() -> String {
    let field = "resource.data." + pick(["n", "n", "m", "n.k", "z"])
    let literal = pick(Self.values).text
    let other = pick(Self.values).text
    let key = pick(["n", "m", "k", "z"])
    return switch Int.random(in: 0..<16, using: &self) {
    case 0...5: "\(field) \(pick(["==", "!=", "<", "<=", ">", ">="])) \(literal)"
    case 6: "\(literal) in \(field)"
    case 7: "\(field) in [\(literal), \(other)]"
    case 8: "\(field) is \(pick(["int", "string", "number", "list", "map", "bool", "float"]))"
    case 9: "\(field).hasAny([\(literal), \(other)])"
    case 10: "'\(key)' in \(pick(["resource.data", "resource.data.n", "resource.data.keys()"]))"
    case 11: "resource.data.get('\(key)', \(literal)) \(pick(["==", "!=", ">"])) \(other)"
    case 12: "[\(field)].\(pick(["hasAny", "hasAll", "hasOnly"]))([\(literal), \(other)])"
    case 13: "resource.data.keys().\(pick(["hasAny", "hasAll", "hasOnly"]))(['n', 'm'])"
    case 14: "resource.data.diff({'n': \(literal)}).\(pick(["added", "changed"]))Keys().size() > 0"
    default: "\(field) \(pick(["==", "!=", "<"])) resource.data.\(pick(["n", "m"]))"
    }
  }

  // MARK: Filters

  mutating func filter() -> StructuredQuery.Filter {
    switch Int.random(in: 0..<6, using: &self) {
    case 0...2: leaf()
    case 3, 4: .composite(.and, [leaf(), leaf()])
    default: .composite(.or, [leaf(), .composite(.and, [leaf(), leaf()])])
    }
  }

  private mutating func leaf() -> StructuredQuery.Filter {
    let path = pick([FieldPath("n"), FieldPath("n"), FieldPath("m"), FieldPath("n", "k")])
    let value = pick(Self.values).value
    return switch Int.random(in: 0..<12, using: &self) {
    case 0...3: .field(path, .equal, value)
    case 4...6:
      .field(
        path,
        pick([.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]),
        value
      )
    case 7: .field(path, .notEqual, value)
    case 8: .field(path, .arrayContains, value)
    case 9: .field(path, pick([.in, .arrayContainsAny, .notIn]), [value, pick(Self.values).value])
    default: .unary(path, pick([.isNull, .isNotNull, .isNaN, .isNotNaN]))
    }
  }
}

extension StructuredQuery.Filter {
  /// Returns whether a query with the filter finds a document.
  fileprivate func finds(_ fields: Fields) -> Bool {
    switch self {
    case .composite(.and, let filters): filters.allSatisfy { $0.finds(fields) }
    case .composite(.or, let filters): filters.contains { $0.finds(fields) }
    case .unary(let path, let op):
      fields[path].map { Self.meets($0, op) } ?? false
    case .field(let path, let op, let operand):
      fields[path].map { Self.meets($0, op, operand) } ?? false
    }
  }

  private static func meets(_ value: Value, _ op: StructuredQuery.UnaryOperator) -> Bool {
    let isNaN = if case .double(let double) = value { double.isNaN } else { false }
    return switch op {
    case .isNull: value == .null
    case .isNotNull: value != .null
    case .isNaN: isNaN
    case .isNotNaN: value != .null && !isNaN
    }
  }

  private static func meets(
    _ value: Value,
    _ op: StructuredQuery.FieldOperator,
    _ operand: Value
  ) -> Bool {
    let order = compare(value, operand)
    return switch op {
    case .equal: order == 0
    case .lessThan: order.map { $0 < 0 } ?? false
    case .lessThanOrEqual: order.map { $0 <= 0 } ?? false
    case .greaterThan: order.map { $0 > 0 } ?? false
    case .greaterThanOrEqual: order.map { $0 >= 0 } ?? false
    case .notEqual: value != .null && operand != .null && order != 0
    case .arrayContains: elements(of: value).contains { compare($0, operand) == 0 }
    case .in: elements(of: operand).contains { compare(value, $0) == 0 }
    case .arrayContainsAny:
      elements(of: value).contains { element in
        elements(of: operand).contains { compare(element, $0) == 0 }
      }
    case .notIn:
      value != .null
        && elements(of: operand).allSatisfy { $0 != .null && compare(value, $0) != 0 }
    }
  }

  /// Compares values of one type; null is comparable with nothing.
  private static func compare(_ value: Value, _ operand: Value) -> Int? {
    value.typeOrder == operand.typeOrder && value != .null ? value.compare(to: operand) : nil
  }

  private static func elements(of value: Value) -> [Value] {
    if case .array(let elements) = value { elements } else { [] }
  }
}
