import Core
import FirestoreModel
import Rules
import Testing

/// Decisions of Google's emulator on queries, except where a table says that the emulator is laxer.
struct QueryProofTests {
  typealias Filter = StructuredQuery.Filter

  struct Case: Sendable, CustomTestStringConvertible {
    var condition: String
    var allowed: [Filter]
    var denied: [Filter?]

    init(_ condition: String, allowed: [Filter] = [], denied: [Filter?] = []) {
      self.condition = condition
      self.allowed = allowed
      self.denied = denied
    }

    var testDescription: String { condition }
  }

  private func check(_ item: Case) throws {
    let probe = try QueryProbe(item.condition)
    for filter in item.allowed {
      #expect(try probe.allows(where: filter), "\(filter)")
    }
    for filter in item.denied {
      #expect(try !probe.allows(where: filter), "\(String(describing: filter))")
    }
  }

  private static let between = Filter.all(.n(.greaterThan, 3), .n(.lessThan, 9))
  private static let fixed = Filter.all(.n(.equal, 3), .n(.greaterThan, 0))

  @Test(
    arguments: [
      Case(
        "resource.data.n == 3",
        allowed: [.n(.equal, 3), .n(.equal, .double(3)), fixed, .n(.in, [3])],
        denied: [
          nil, .n(.equal, 4), .n(.in, [3, 4]), .n(.greaterThan, 2), .m(.equal, 3),
          .any(.n(.equal, 3), .m(.equal, 3)),
          .all(.n(.greaterThanOrEqual, 3), .n(.lessThanOrEqual, 3)),
        ]
      ),
      Case("resource.data.n == 3.0", allowed: [.n(.equal, 3), fixed]),
      Case(
        "resource.data.n != 3",
        allowed: [
          .n(.equal, 4), .n(.notEqual, 3), .n(.notIn, [3, 4]), .n(.greaterThan, 3),
          .n(.lessThan, 3), .n(.equal, "3"), .unary(FieldPath("n"), .isNull),
        ],
        denied: [
          nil, .n(.greaterThanOrEqual, 3), .n(.notEqual, 4), .n(.greaterThan, "a"),
          .unary(FieldPath("n"), .isNotNull),
        ]
      ),
      Case(
        "!(resource.data.n == 3)",
        allowed: [.n(.equal, 4), .n(.in, [4, 5])],
        denied: [nil, .n(.notEqual, 3), .n(.greaterThan, 3), .n(.equal, 3)]
      ),
      Case(
        "resource.data.n != null",
        allowed: [
          .n(.equal, 3), .n(.notEqual, 3), .n(.greaterThan, 3), .n(.arrayContains, 3),
          .unary(FieldPath("n"), .isNotNull),
        ],
        denied: [nil, .unary(FieldPath("n"), .isNull), .n(.greaterThan, [1])]
      ),
      Case(
        "resource.data.n == null",
        allowed: [.unary(FieldPath("n"), .isNull)],
        denied: [nil, .n(.equal, .null), .n(.notEqual, 3)]
      ),
    ]
  ) func `equality is proven by the conditions on the field`(item: Case) throws {
    try check(item)
  }

  @Test(
    arguments: [
      Case(
        "resource.data.n > 3",
        allowed: [.n(.greaterThan, 3), .n(.greaterThan, 4), .n(.equal, 4), between],
        denied: [
          nil, .n(.greaterThanOrEqual, 3), .n(.greaterThan, 2), .n(.lessThan, 3),
          .n(.greaterThan, .double(3)), .n(.greaterThan, "a"), .n(.notEqual, 3),
          .all(.n(.greaterThanOrEqual, 3), .n(.notEqual, 3)),
        ]
      ),
      Case(
        "resource.data.n > 3.0",
        allowed: [.n(.greaterThan, 3), .n(.greaterThan, .double(3.5))],
        denied: [.n(.greaterThanOrEqual, 3)]
      ),
      Case("3 < resource.data.n", allowed: [.n(.greaterThan, 3)], denied: [.n(.lessThan, 3)]),
      Case(
        "resource.data.n >= 3",
        allowed: [.n(.greaterThanOrEqual, 3), .n(.greaterThan, 3), fixed],
        denied: [.n(.greaterThan, 2)]
      ),
      Case(
        "resource.data.n > 0 && resource.data.n <= 10",
        allowed: [between, .n(.in, [1, 2])],
        denied: [.n(.greaterThan, 0), .n(.in, [1, 20])]
      ),
      Case(
        "resource.data.n < 'c'",
        allowed: [.n(.lessThan, "c"), .n(.lessThanOrEqual, "b")],
        denied: [.n(.lessThanOrEqual, "c"), .n(.lessThan, 3)]
      ),
      Case(
        "resource.data.n < request.time",
        allowed: [.n(.lessThanOrEqual, .timestamp(Timestamp(seconds: 5)))],
        denied: [.n(.lessThan, .timestamp(Timestamp(seconds: 9_000_000_000)))]
      ),
      Case("resource.data.n > false", denied: [.n(.greaterThan, false)]),
      Case(
        "resource.data.n > resource.data.m",
        denied: [.all(.n(.greaterThan, 3), .m(.lessThan, 3))]
      ),
      Case(
        "resource.data.n > resource.data.m",
        allowed: [.all(.n(.greaterThan, 3), .m(.equal, 3))]
      ),
      Case("resource.data.n + 1 > 4", allowed: [.n(.equal, 4)], denied: [.n(.greaterThan, 3)]),
      Case("!(resource.data.n > 3)", allowed: [.n(.equal, 3)], denied: [.n(.lessThanOrEqual, 3)]),
    ]
  ) func `a comparison is proven by a single condition that implies it`(item: Case) throws {
    try check(item)
  }

  @Test(
    arguments: [
      Case(
        "'a' in resource.data.n",
        allowed: [.n(.arrayContains, "a"), .n(.arrayContainsAny, ["a"]), .n(.equal, ["a", "b"])],
        denied: [nil, .n(.arrayContains, "b"), .n(.arrayContainsAny, ["a", "b"])]
      ),
      Case(
        "resource.data.n.hasAny(['a', 'b'])",
        allowed: [.n(.arrayContains, "a"), .n(.arrayContainsAny, ["a", "b"])],
        denied: [.n(.arrayContains, "c")]
      ),
      Case("!resource.data.n.hasAny(['b'])", denied: [.n(.arrayContains, "a")]),
      Case("!('b' in resource.data.n)", denied: [.n(.arrayContains, "a")]),
      Case("resource.data.n.hasAll(['a'])", denied: [.n(.arrayContains, "a")]),
      Case("resource.data.n.size() > 0", denied: [.n(.arrayContains, "a")]),
      Case(
        "3.0 in resource.data.n || resource.data.n.hasAny([3.0])",
        denied: [.n(.arrayContains, 3), .n(.arrayContains, .double(3))]
      ),
      Case("3.5 in resource.data.n", allowed: [.n(.arrayContains, .double(3.5))]),
      Case(
        "!(resource.data.n in ['a', 'b'])",
        allowed: [.n(.notIn, ["a", "b"]), .n(.notIn, ["a", "b", "c"])],
        denied: [
          nil, .n(.notEqual, "a"), .n(.notIn, ["a", "c"]), .unary(FieldPath("n"), .isNotNull),
        ]
      ),
      Case(
        "(resource.data.n in [3]) == false",
        allowed: [.n(.notEqual, 3), .n(.notIn, [3, "a"])],
        denied: [.n(.notEqual, 4)]
      ),
      Case("!(resource.data.n in [[3]])", denied: [.n(.notEqual, [3])]),
      // 2^53 + 1 is no double: rules take it for 2^53 where they compare it with one.
      Case(
        "resource.data.n < 9007199254740993",
        allowed: [.n(.lessThan, 9_007_199_254_740_991)],
        denied: [.n(.lessThan, 9_007_199_254_740_993)]
      ),
      Case("resource.data.n < 9007199254740992", allowed: [.n(.lessThan, 9_007_199_254_740_992)]),
      Case(
        "resource.data.n != 9007199254740993",
        denied: [.n(.notEqual, 9_007_199_254_740_993), .n(.notIn, [9_007_199_254_740_993])]
      ),
      Case(
        "!(resource.data.n in [9007199254740993])",
        denied: [.n(.notEqual, 9_007_199_254_740_993)]
      ),
      Case("resource.data.n != 9007199254740992", allowed: [.n(.notEqual, 9_007_199_254_740_992)]),
      Case("3 in resource.data.n", denied: [.n(.arrayContains, .double(3))]),
    ]
  ) func `an element is proven by a condition on the array`(item: Case) throws {
    try check(item)
  }

  @Test(
    arguments: [
      Case(
        "resource.data.n.k == 1",
        allowed: [.field(FieldPath("n", "k"), .equal, 1), .n(.equal, ["k": 1])],
        denied: [.field(FieldPath("n.k"), .equal, 1), .n(.greaterThan, ["k": 1])]
      ),
      Case(
        "resource.data.n.k > 1 && resource.data['n']['l'] == 'x'",
        allowed: [
          .all(
            .field(FieldPath("n", "k"), .greaterThan, 1),
            .field(FieldPath("n", "l"), .equal, "x")
          )
        ]
      ),
      Case(
        "resource.data.get(['n', 'k'], 0) == 1",
        allowed: [.field(FieldPath("n", "k"), .equal, 1)]
      ),
      Case(
        "resource.data.n == {'k': 1}",
        allowed: [.n(.equal, ["k": 1])],
        denied: [.field(FieldPath("n", "k"), .equal, 1)]
      ),
      Case(
        "resource.data.n != {'k': 1}",
        allowed: [.field(FieldPath("n", "k"), .equal, 2), .n(.equal, 3)],
        denied: [.field(FieldPath("n", "k"), .equal, 1)]
      ),
    ]
  ) func `conditions on members of maps make maps`(item: Case) throws {
    try check(item)
  }

  /// Google's emulator allows these, although documents with other fields or values exist that the
  /// condition is false for.
  @Test(
    arguments: [
      Case("!('secret' in resource.data)", denied: [nil, .n(.equal, 3)]),
      Case("resource.data.get('secret', 0) == 0", denied: [nil, .n(.equal, 3)]),
      Case("resource.data.get(['n', 'secret'], 0) == 0", denied: [nil, .n(.greaterThan, 3)]),
      Case("!('owner' in resource.data) || resource.data.owner == 'alice'", denied: [nil]),
      Case("resource.data.keys().hasOnly(['n'])", denied: [nil, .n(.equal, 3)]),
      Case("resource.data.keys().size() == 1", denied: [.n(.equal, 3)]),
      Case("!('m' in resource.data.keys())", denied: [.n(.equal, 3)]),
      Case("resource.data.size() == 1", denied: [.n(.equal, 3)]),
      Case("resource.data == {'n': 3}", denied: [.n(.equal, 3)]),
      Case("resource.data in [{'n': 3}]", denied: [.n(.equal, 3)]),
      Case("resource.data.values().hasAny([3])", denied: [.n(.equal, 3)]),
      Case("resource.data.diff({'n': 3}).affectedKeys().size() == 0", denied: [.n(.equal, 3)]),
      Case("[resource.data].hasAny([{'n': 3}])", denied: [.n(.equal, 3)]),
      Case(
        "!(resource.data.n in [4, 5])",
        allowed: [.n(.greaterThan, 5)],
        denied: [.n(.greaterThan, 3)]
      ),
      Case(
        "!(resource.data.n in ['a'])",
        allowed: [.n(.greaterThan, 3)],
        denied: [.n(.notEqual, 3)]
      ),
      Case(
        "!(resource.data.n is string)",
        allowed: [.n(.greaterThan, 3)],
        denied: [.n(.notEqual, 3)]
      ),
      Case("!(resource.data.n is int)", denied: [.n(.greaterThan, 3)]),
      Case("[resource.data.n] != [4]", allowed: [.n(.lessThan, 4)], denied: [.n(.greaterThan, 3)]),
      Case("!([4].hasAny([resource.data.n]))", denied: [.n(.greaterThan, 3)]),
      Case("{'a': resource.data.n} != {'a': 4}", denied: [.n(.greaterThan, 3)]),
      Case("resource.data.n != 3", denied: [.all(.n(.equal, .double(3)), .n(.greaterThan, 0))]),
      Case("!(resource.data.n in [3])", denied: [.n(.equal, .double(3))]),
      Case("resource.data.n != [3.0]", denied: [.all(.n(.equal, [3]), .n(.arrayContains, 3))]),
      Case("!('id' in resource)", denied: [nil]),
    ]
  ) func `what the filter leaves open isn't known to be absent`(item: Case) throws {
    try check(item)
  }

  @Test(
    arguments: [
      Case("'n' in resource.data", allowed: [.n(.greaterThan, 3), .n(.equal, 3)], denied: [nil]),
      Case(
        "resource.data.keys().hasAll(['n']) && resource.data.keys().hasAny(['n', 'm'])",
        allowed: [.n(.equal, 3)],
        denied: [nil, .m(.equal, 3)]
      ),
      Case("resource.data.keys() is list && 'n' in resource.data.keys()", allowed: [.n(.equal, 3)]),
      Case("resource.data != null && resource != null", allowed: [.n(.equal, 3)]),
      Case("resource.data.n is int", allowed: [.n(.equal, 3)], denied: [.n(.greaterThan, 3)]),
      Case("resource.data.get('n', 0) > 3", allowed: [.n(.greaterThan, 3)], denied: [nil]),
      Case("resource.data.secret == 1 || true", allowed: [.n(.equal, 3)]),
    ]
  ) func `what the filter requires is known`(item: Case) throws { try check(item) }

  @Test(
    arguments: [
      Case(
        "1.0 / resource.data.n < 0.0",
        allowed: [.n(.equal, -2)],
        denied: [.n(.equal, .double(-0.0)), .n(.equal, .double(0))]
      ),
      Case(
        "resource.data.n > '\u{E000}'",
        denied: [.n(.greaterThan, "\u{E000}"), .n(.greaterThan, "\u{1F600}")]
      ),
      Case(
        "resource.data.n > 'm'",
        allowed: [.n(.greaterThan, "n"), .n(.greaterThan, "\u{1F600}")]
      ),
    ]
  ) func `nothing is proven where rules and Firestore compare differently`(item: Case) throws {
    try check(item)
  }

  @Test func `every alternative of a filter is proven`() throws {
    let probe = try QueryProbe("resource.data.n == 1 || resource.data.m == 1")
    #expect(try probe.allows(where: .any(.n(.equal, 1), .m(.equal, 1))))
    #expect(try !probe.allows(where: .any(.n(.equal, 1), .m(.equal, 2))))
    let both = Filter.all(.n(.in, [1, 2]), .any(.m(.equal, 1), .m(.equal, 2)))
    #expect(try !probe.allows(where: both))
    #expect(try QueryProbe("resource.data.n < 3 && resource.data.m < 3").allows(where: both))
  }

  @Test func `a filter with too many alternatives is refused`() throws {
    let numbers = Value.array((0..<11).map { .integer($0) })
    let filter = Filter.all(.n(.in, numbers), .m(.in, numbers))
    let probe = try QueryProbe("true")
    #expect(throws: StatusError.self) { try probe.allows(where: filter) }
  }
}
