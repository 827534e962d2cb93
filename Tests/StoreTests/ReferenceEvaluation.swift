import Core
import FirestoreModel
import TestKit

@testable import Store

/// An evaluation of queries that compares the values of all documents and uses no index.
struct ReferenceEvaluation {
  var documents: [Document]

  func ids(_ query: StructuredQuery) -> [String] {
    let order = QueryOrder(of: query)
    let explicit = query.orderBy
    var rows = documents.filter { document in
      (query.filter?.matches(document) ?? true)
        && order.fields.allSatisfy { document.fields[$0.path] != nil }
    }
    rows.sort { left, right in
      for field in order.fields {
        let result = (left.fields[field.path] ?? .null)
          .compare(to: right.fields[field.path] ?? .null)
        if result != 0 { return (result < 0) != field.isDescending }
      }
      return (left.name.path < right.name.path) != order.isNameDescending
    }
    func isBefore(_ document: Document, _ cursor: Cursor) -> Bool {
      for (value, order) in zip(cursor.values ?? [], explicit) {
        let result = (document.value(at: order.field.fieldPath) ?? .null).compare(to: value)
        if result != 0 { return (result < 0) != (order.direction == .descending) }
      }
      return cursor.before != true
    }
    if let start = query.startAt, start.values?.isEmpty == false {
      rows.removeAll { isBefore($0, start) }
    }
    if let end = query.endAt, end.values?.isEmpty == false {
      rows.removeAll { !isBefore($0, end) }
    }
    return rows.dropFirst(query.offset).prefix(query.limit ?? .max).map(\.name.id)
  }
}

/// A generator of random documents and queries. The same seed generates the same ones.
struct QueryGenerator {
  var dice: Dice

  init(seed: UInt64) { dice = Dice(seed: seed) }

  static let paths = [FieldPath("a"), FieldPath("b"), FieldPath("m", "x"), FieldPath("tags")]

  private static let scalars: [Value] = [
    .null, .double(.nan), true, false, -1, 0, 1, 2, 3, .double(-0.0), .double(1.5), .double(2),
    .integer(.max), .double(0x1p63), "", "a", "a\u{0}b", "b", "é", .bytes(.init([1, 2])),
    .timestamp(Timestamp(seconds: 5)), .timestamp(Timestamp(seconds: 5, nanoseconds: 1_000)),
    .geoPoint(latitude: 1, longitude: -2), reference("c/7"), reference("c/7/d/__id3__"),
    vector(1, 2), vector(9), [], [1, "a"], ["k": 1], [:],
    .string(String(repeating: "z", count: 1_600)),
  ]

  mutating func value() -> Value { dice.pick(Self.scalars) }

  mutating func fields() -> Fields {
    var fields: Fields = [:]
    if dice.number(below: 5) > 0 {
      fields["a"] = dice.number(below: 3) == 0 ? value() : .integer(Int64(dice.number(below: 4)))
    }
    if dice.number(below: 5) > 0 { fields["b"] = value() }
    if dice.number(below: 3) > 0 { fields["m"] = ["x": dice.number(below: 2) == 0 ? value() : 7] }
    if dice.number(below: 3) > 0 {
      fields["tags"] = .array(
        (0..<dice.number(below: 4)).map { _ in dice.pick(["a", "b", 1, .null]) }
      )
    }
    return fields
  }

  mutating func filter(depth: Int = 0) -> Filter {
    if depth < 2, dice.number(below: 3) == 0 {
      return .composite(
        dice.number(below: 2) == 0 ? .and : .or,
        (0..<(1 + dice.number(below: 2))).map { _ in filter(depth: depth + 1) }
      )
    }
    let path = dice.pick(Self.paths)
    switch dice.number(below: 12) {
    case 0: return .unary(path, dice.pick([.isNull, .isNaN, .isNotNull, .isNotNaN]))
    case 1: return .field(FieldPath("tags"), .arrayContains, dice.pick(["a", "b", 1]))
    case 2: return .field(FieldPath("tags"), .arrayContainsAny, ["a", 1])
    case 3: return .field(path, .in, .array([value(), value(), 1]))
    case 4: return .field(path, .notIn, .array([value(), 2]))
    case 5: return .field(path, .notEqual, value())
    case 6:
      return .field(
        .documentName,
        dice.pick([.equal, .greaterThan, .lessThanOrEqual, .notEqual]),
        reference("c/\(dice.number(below: 200))")
      )
    case 7, 8, 9: return .field(path, .equal, dice.number(below: 2) == 0 ? 1 : value())
    default:
      let op = dice.pick(
        [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
          as [StructuredQuery.FieldOperator]
      )
      return .field(path, op, value())
    }
  }

  mutating func query() -> StructuredQuery {
    var paths = Self.paths
    var orders: [Order] = []
    for _ in 0..<dice.number(below: 3) {
      let path = paths.remove(at: dice.number(below: paths.count))
      orders.append(Order(path, dice.pick([nil, .ascending, .descending])))
    }
    if dice.number(below: 4) == 0 {
      orders.append(Order(.documentName, dice.pick([.ascending, .descending])))
    }
    var made = StoreTests.query(
      dice.number(below: 5) == 0 ? nil : filter(),
      orderBy: orders,
      offset: dice.number(below: 4) == 0 ? dice.number(below: 5) : 0,
      limit: dice.number(below: 2) == 0 ? 1 + dice.number(below: 20) : nil
    )
    if dice.number(below: 3) == 0 { made.startAt = cursor(orders) }
    if dice.number(below: 4) == 0 { made.endAt = cursor(orders) }
    return made
  }

  private mutating func cursor(_ orders: [Order]) -> Cursor {
    let values = orders.prefix(1 + dice.number(below: 2)).map { order in
      order.field.fieldPath == .documentName ? reference("c/\(dice.number(below: 200))") : value()
    }
    return Cursor(values, before: dice.pick([nil, true, false]))
  }
}
