/// A query of google.firestore.v1.
package struct StructuredQuery: Hashable, Sendable {
  package struct CollectionSelector: Hashable, Sendable, Encodable {
    /// The collection's ID, or `nil` for collections of every ID.
    package var collectionId: String?
    /// A Boolean value that indicates whether collections with that ID at any depth below the
    /// parent are selected.
    package var allDescendants: Bool?

    package init(_ collectionId: String?, allDescendants: Bool? = nil) {
      self.collectionId = collectionId
      self.allDescendants = allDescendants
    }
  }

  package indirect enum Filter: Hashable, Sendable {
    case composite(CompositeOperator, [Filter])
    case field(FieldPath, FieldOperator, Value)
    case unary(FieldPath, UnaryOperator)
  }

  package enum CompositeOperator: String, Hashable, Sendable, Encodable {
    case and = "AND"
    case or = "OR"
  }

  package enum FieldOperator: String, Hashable, Sendable, Encodable {
    case lessThan = "LESS_THAN"
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case arrayContains = "ARRAY_CONTAINS"
    case `in` = "IN"
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    case notIn = "NOT_IN"
  }

  package enum UnaryOperator: String, Hashable, Sendable, Encodable {
    case isNaN = "IS_NAN"
    case isNull = "IS_NULL"
    case isNotNaN = "IS_NOT_NAN"
    case isNotNull = "IS_NOT_NULL"
  }

  package enum Direction: String, Hashable, Sendable, Encodable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  package struct FieldReference: Hashable, Sendable, Encodable {
    package var fieldPath: FieldPath
    package init(_ fieldPath: FieldPath) { self.fieldPath = fieldPath }
  }

  package struct Order: Hashable, Sendable, Encodable {
    package var field: FieldReference
    /// The direction, or `nil` for ascending.
    package var direction: Direction?

    package init(_ path: FieldPath, _ direction: Direction? = nil) {
      field = FieldReference(path)
      self.direction = direction
    }
  }

  /// A position in the query's order: before or after the documents that have these values.
  package struct Cursor: Hashable, Sendable, Encodable {
    package var values: [Value]?
    package var before: Bool?

    package init(_ values: [Value]?, before: Bool? = nil) {
      self.values = values
      self.before = before
    }
  }

  package struct Projection: Hashable, Sendable, Encodable {
    package var fields: [FieldReference]?

    package init(fields: [FieldReference]?) { self.fields = fields }
  }

  /// A search for the documents whose vectors are nearest to a given one.
  package struct FindNearest: Hashable, Sendable {
    package enum DistanceMeasure: Hashable, Sendable {
      case euclidean, cosine, dotProduct
    }

    package var vectorField: FieldPath
    package var queryVector: Value
    package var distanceMeasure: DistanceMeasure
    package var limit: Int
    /// The field in which each result reports its distance, or `nil` for none.
    package var distanceResultField: FieldPath?
    /// The maximum distance of a result; for the dot product, the minimum.
    package var distanceThreshold: Double?

    package init(
      vectorField: FieldPath,
      queryVector: Value,
      distanceMeasure: DistanceMeasure,
      limit: Int,
      distanceResultField: FieldPath? = nil,
      distanceThreshold: Double? = nil
    ) {
      self.vectorField = vectorField
      self.queryVector = queryVector
      self.distanceMeasure = distanceMeasure
      self.limit = limit
      self.distanceResultField = distanceResultField
      self.distanceThreshold = distanceThreshold
    }
  }

  package var select: Projection?
  package var from: [CollectionSelector]
  package var filter: Filter?
  package var orderBy: [Order]
  package var startAt: Cursor?
  package var endAt: Cursor?
  package var offset: Int
  package var limit: Int?
  /// A vector search. The REST client doesn't use it, so it isn't encoded as JSON.
  package var findNearest: FindNearest?

  package init(
    from collection: String,
    where filter: Filter? = nil,
    orderBy: [Order] = [],
    limit: Int? = nil,
    select: [FieldPath]? = nil
  ) {
    self.select = select.map { Projection(fields: $0.map(FieldReference.init)) }
    self.from = [CollectionSelector(collection)]
    self.filter = filter
    self.orderBy = orderBy
    self.offset = 0
    self.limit = limit
  }
}

// MARK: JSON

extension StructuredQuery: Encodable {
  private enum CodingKeys: CodingKey {
    case select, from, `where`, orderBy, startAt, endAt, offset, limit
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(select, forKey: .select)
    try container.encode(from, forKey: .from)
    try container.encodeIfPresent(filter, forKey: .where)
    if !orderBy.isEmpty { try container.encode(orderBy, forKey: .orderBy) }
    try container.encodeIfPresent(startAt, forKey: .startAt)
    try container.encodeIfPresent(endAt, forKey: .endAt)
    if offset != 0 { try container.encode(offset, forKey: .offset) }
    try container.encodeIfPresent(limit, forKey: .limit)
  }
}

extension StructuredQuery.Filter: Encodable {
  private enum CodingKeys: CodingKey { case compositeFilter, fieldFilter, unaryFilter }

  private struct Composite: Encodable {
    var op: StructuredQuery.CompositeOperator
    var filters: [StructuredQuery.Filter]
  }

  private struct Field: Encodable {
    var field: StructuredQuery.FieldReference
    var op: StructuredQuery.FieldOperator
    var value: Value
  }

  private struct Unary: Encodable {
    var field: StructuredQuery.FieldReference
    var op: StructuredQuery.UnaryOperator
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .composite(let op, let filters):
      try container.encode(Composite(op: op, filters: filters), forKey: .compositeFilter)
    case .field(let path, let op, let value):
      try container.encode(
        Field(field: .init(path), op: op, value: value),
        forKey: .fieldFilter
      )
    case .unary(let path, let op):
      try container.encode(Unary(field: .init(path), op: op), forKey: .unaryFilter)
    }
  }
}
