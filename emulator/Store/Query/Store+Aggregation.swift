package import Core
package import FirestoreModel

extension Store {
  /// Computes aggregations over a query's result. The query's limit, offset and cursors apply.
  ///
  /// A document that lacks one of the aggregated fields isn't included in any aggregation.
  /// Production behaves the same, because it reads an index with all these fields.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there is no aggregation, if there are more than five, or if
  ///   two have the same alias.
  package func attemptAggregation(
    _ aggregations: [Aggregation],
    over query: StructuredQuery,
    parent: ResourceName,
    _ consistency: ReadConsistency,
    check: ReadCheck? = nil
  ) throws(StatusError) -> MaybePending<AggregationAnswer> {
    let (named, query) = try prepare(aggregations, over: query, parent: parent)
    switch try attemptReading(query, consistency, check: check) {
    case .done(let cursor): return .done(try Self.aggregate(named, over: cursor))
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in
        try Self.aggregate(named, over: try await wait())
      }
    }
  }

  /// Returns the aggregations with default aliases filled in, and the query that reads their
  /// documents.
  func prepare(
    _ aggregations: [Aggregation],
    over query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> (named: [Aggregation], query: PreparedQuery) {
    let named = try Aggregation.named(aggregations)
    let fields = Set(named.compactMap(\.operator.field)).sorted()
    if let selected = query.select?.fields?.map(\.fieldPath),
      let field = fields.first(where: { !selected.contains($0) })
    {
      throw StatusError(
        .invalidArgument,
        "The aggregation property \(field) is not present in the base query's property mask."
      )
    }
    try Self.checkNames(query, aggregated: fields)
    var query = query
    // Read only the aggregated fields.
    query.select = StructuredQuery.Projection(
      fields: fields.map(StructuredQuery.FieldReference.init)
    )
    return (named, try PreparedQuery(query, parent: parent, aggregated: fields))
  }

  /// Checks that no aggregated field follows the document name in the query's order.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a field does: an index can't have fields after the name.
  private static func checkNames(
    _ query: StructuredQuery,
    aggregated: [FieldPath]
  ) throws(StatusError) {
    let ordered = Set(query.orderBy.map(\.field.fieldPath))
    guard ordered.contains(.documentName) || query.filter?.paths.contains(.documentName) == true
    else { return }
    let behind = aggregated.filter {
      !ordered.contains($0) && query.filter?.inequalityFields.contains($0) != true
    }
    guard behind.isEmpty else {
      throw StatusError(
        .invalidArgument,
        "This query requires an index that has fields "
          + "[\(behind.map(\.description).joined(separator: ", "))] after __name__ and Firestore does not "
          + "currently support such an index. Please try the query again with additional ordering on "
          + "those fields."
      )
    }
  }

  private static func aggregate(
    _ aggregations: [Aggregation],
    over cursor: QueryCursor
  ) throws(StatusError) -> AggregationAnswer {
    var accumulators = aggregations.map { Accumulator($0.operator) }
    let most = aggregations.reduce(0) { max($0, $1.operator.mostDocuments) }
    if !aggregations.contains(where: { $0.operator.field != nil }),
      let count = try cursor.count(upTo: most)
    {
      for index in accumulators.indices { accumulators[index].count = count }
    } else {
      var count = 0
      while count < most {
        let documents = try cursor.next(min(256, most - count))
        if documents.isEmpty { break }
        count += documents.count
        for document in documents {
          for index in accumulators.indices { accumulators[index].add(document) }
        }
      }
    }
    return AggregationAnswer(
      fields: Dictionary(
        zip(aggregations.map { ByteKey($0.alias) }, accumulators.map(\.value)),
        uniquingKeysWith: { first, _ in first }
      ),
      cursor: cursor
    )
  }
}

extension Aggregation {
  /// Returns the aggregations with default aliases filled in.
  fileprivate static func named(
    _ aggregations: [Aggregation]
  ) throws(StatusError) -> [Aggregation] {
    guard !aggregations.isEmpty else {
      throw StatusError(.invalidArgument, "Aggregations can not be empty.")
    }
    guard aggregations.count <= 5 else {
      throw StatusError(.invalidArgument, "The maximum number of aggregations allowed is 5.")
    }
    var named: [Aggregation] = []
    for (index, var aggregation) in aggregations.enumerated() {
      if aggregation.alias.isEmpty { aggregation.alias = "field_\(index + 1)" }
      if named.contains(where: { $0.alias.hasSameBytes(as: aggregation.alias) }) {
        throw StatusError(
          .invalidArgument,
          "Aggregation aliases contain duplicate alias: \(aggregation.alias)."
        )
      }
      if case .count(let most?) = aggregation.operator, most < 0 {
        throw StatusError(
          .invalidArgument,
          "The `up_to` value in a COUNT aggregation must be greater than or equal to zero."
        )
      }
      if aggregation.operator.isOfName {
        throw StatusError(
          .invalidArgument,
          "Aggregations are not supported for the property: __key__"
        )
      }
      if aggregation.alias.isReservedName {
        throw StatusError(
          .invalidArgument,
          "The property.name \"\(aggregation.alias)\" is reserved."
        )
      }
      named.append(aggregation)
    }
    return named
  }
}

extension Aggregation.Operator {
  fileprivate var field: FieldPath? {
    switch self {
    case .count: nil
    case .sum(let path), .average(let path): path
    }
  }

  fileprivate var isOfName: Bool { field == .documentName }

  /// The number of documents after which the operator's result no longer changes.
  fileprivate var mostDocuments: Int {
    if case .count(let most?) = self { Int(clamping: most) } else { .max }
  }
}

/// The running value of one aggregation.
private struct Accumulator {
  private let op: Aggregation.Operator
  var count = 0
  private var integers: Int64 = 0
  private var doubles = 0.0
  private var isDouble = false
  private var numbers = 0

  init(_ op: Aggregation.Operator) { self.op = op }

  mutating func add(_ document: Document) {
    switch op {
    case .count: count += 1
    case .sum(let path), .average(let path):
      switch document.fields[path] {
      case .integer(let integer):
        numbers += 1
        let (sum, overflows) = integers.addingReportingOverflow(integer)
        if overflows {
          // After an overflow, the sum is a double.
          doubles += Double(integers) + Double(integer)
          integers = 0
          isDouble = true
        } else {
          integers = sum
        }
      case .double(let double):
        numbers += 1
        doubles += double
        isDouble = true
      default: break
      }
    }
  }

  var value: Value {
    switch op {
    case .count(let most): .integer(min(Int64(count), most ?? .max))
    case .sum: isDouble ? .double(doubles + Double(integers)) : .integer(integers)
    case .average:
      numbers == 0 ? .null : .double((doubles + Double(integers)) / Double(numbers))
    }
  }
}
