import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct QueryValidationTests {
  private static func integers(_ count: Int64) -> Value {
    .array((0..<count).map(Value.integer))
  }

  private static let w = FieldPath("w")
  private static let tooManyNegations =
    "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
  private static let notInWithOr =
    "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
  private static let oneArrayContains =
    "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
  private static func tooManyDisjunctions(_ count: Int) -> String {
    "Too many disjunctions after normalization. Result had \(count) disjunctions which is more "
      + "than the maximum of 30"
  }

  @Test(
    arguments: [
      (filter(.in, 1), "'IN' requires an ArrayValue."),
      (filter(.in, []), "'IN' requires an non-empty ArrayValue."),
      (filter(.in, integers(31)), "'IN' supports up to 30 comparison values."),
      (filter(.arrayContainsAny, "a"), "'ARRAY_CONTAINS_ANY' requires an ArrayValue."),
      (filter(.arrayContainsAny, []), "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue."),
      (
        filter(.arrayContainsAny, integers(31)),
        "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."
      ),
      (filter(.notIn, .null), "'NOT_IN' requires an ArrayValue."),
      (filter(.notIn, []), "'NOT_IN' requires an non-empty ArrayValue."),
      (filter(.notIn, integers(11)), "'NOT_IN' supports up to 10 comparison values."),
      (.composite(.or, []), "Composite filter must have at least one sub-filter."),
      (.composite(.or, (0..<31).map { filter(.equal, .integer($0)) }), tooManyDisjunctions(31)),
      (
        .composite(.and, [filter(.in, integers(6)), .field(w, .in, integers(6))]),
        tooManyDisjunctions(36)
      ),
      (
        .composite(
          .and,
          [
            .composite(.or, [filter(.equal, 1), filter(.in, integers(10))]),
            .field(w, .in, integers(3)),
          ]
        ), tooManyDisjunctions(33)
      ),
      (.composite(.and, [filter(.arrayContains, 1), filter(.arrayContains, 2)]), oneArrayContains),
      (
        .composite(.and, [filter(.arrayContains, 1), .field(w, .arrayContainsAny, [2])]),
        oneArrayContains
      ),
      (
        .composite(
          .and,
          [
            filter(.arrayContains, 1),
            .composite(.or, [filter(.equal, 1), filter(.arrayContains, 2)]),
          ]
        ), oneArrayContains
      ),
      (.composite(.and, [filter(.notIn, [1]), .field(w, .in, [1])]), notInWithOr),
      (.composite(.and, [filter(.notIn, [1]), .field(w, .arrayContainsAny, [1])]), notInWithOr),
      (
        .composite(.and, [filter(.notIn, [1]), .composite(.or, [.field(w, .equal, 1)])]),
        notInWithOr
      ),
      (.composite(.and, [filter(.notEqual, 1), filter(.notEqual, 2)]), tooManyNegations),
      (.composite(.and, [filter(.notEqual, 1), .field(w, .notIn, [2])]), tooManyNegations),
      (.composite(.and, [.unary(v, .isNotNaN), .unary(v, .isNotNull)]), tooManyNegations),
      (.field(.documentName, .equal, 1), "__key__ filter value must be a Key"),
      (.field(.documentName, .in, [reference("c/x"), "x"]), "__key__ filter value must be a Key"),
      (.unary(.documentName, .isNull), "__key__ filter value must be a Key"),
      (.field(.documentName, .arrayContains, reference("c/x")), "the name __key__ is reserved"),
      (.field(FieldPath("__x__"), .equal, 1), "Invalid reserved name in field path __x__"),
      (.unary(FieldPath("a", "__x__"), .isNull), "Invalid reserved name in field path __x__"),
    ] as [(Filter, String)]
  )
  func `a filter that Firestore doesn't support is refused with Firestore's error`(
    filter: Filter,
    message: String
  ) {
    #expect(
      statusError { try Store().run(query(filter), parent: resource()) } == invalid(message)
    )
    // The filter must also be refused inside another filter.
    #expect(
      statusError {
        try Store().run(query(.composite(.and, [filter])), parent: resource())
      } == invalid(message)
    )
  }

  @Test(
    arguments: [
      filter(.in, integers(30)), filter(.notIn, integers(10)),
      .composite(.or, (0..<30).map { filter(.equal, .integer($0)) }),
      .composite(.and, [filter(.in, integers(6)), .field(w, .in, integers(5))]),
      .composite(.and, [filter(.in, [1, 1, 1, 1, 1, 1]), .field(w, .in, integers(30))]),
      .composite(.or, [filter(.arrayContains, 1), filter(.arrayContainsAny, [2])]),
      .composite(.and, [filter(.notEqual, 1), .field(w, .in, [1])]),
      .composite(.and, [filter(.greaterThan, 1), .field(w, .lessThan, 1)]),
    ] as [Filter]
  )
  func `a filter at the limits is run`(filter: Filter) {
    #expect(statusError { try Store().run(query(filter), parent: resource()) } == nil)
  }

  @Test(
    arguments: [
      (query(limit: -1), "limit is negative"),
      (query(offset: -1), "offset is negative"),
      (
        query(orderBy: [Order(v), Order(v, .descending)]),
        "order by clause cannot contain duplicate fields v"
      ),
      (
        query(orderBy: [Order(.documentName), Order(v)]),
        "order by clause cannot contain more fields after the key"
      ),
      (query(orderBy: [Order(FieldPath("__x__"))]), "Invalid reserved name in field path __x__"),
      (query(from: Cursor([1])), "Cursor has too many values."),
      (
        query(orderBy: [Order(v)], to: Cursor([1, reference("c/x")])),
        "Cursor has too many values."
      ),
      (
        query(orderBy: [Order(.documentName)], from: Cursor(["x"])),
        "Cursor __key__ value is not a document reference."
      ),
      (
        query(orderBy: [Order(v), Order(.documentName)], to: Cursor([1, 2])),
        "Cursor __key__ value is not a document reference."
      ),
    ] as [(StructuredQuery, String)]
  )
  func `an invalid order, cursor or limit is refused with Firestore's error`(
    query: StructuredQuery,
    message: String
  ) {
    #expect(statusError { try Store().run(query, parent: resource()) } == invalid(message))
  }

  @Test func `a query has at most one collection selector`() {
    var twice = query()
    twice.from.append(.init("d"))
    #expect(
      statusError { try Store().run(twice, parent: resource()) }
        == invalid("StructuredQuery.from cannot have more than one collection selector.")
    )
  }
}
