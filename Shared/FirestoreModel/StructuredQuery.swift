import JSONCoding

/// A query as google.firestore.v1 writes it.
package struct StructuredQuery: Hashable, Sendable {
  package struct CollectionSelector: Hashable, Sendable {
    /// Absent: every collection.
    package var collectionId: String?
    /// True: every collection of that id at any depth below the parent.
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

  package enum CompositeOperator: String, Hashable, Sendable, Codable {
    case and = "AND"
    case or = "OR"
  }

  package enum FieldOperator: String, Hashable, Sendable, Codable {
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

  package enum UnaryOperator: String, Hashable, Sendable, Codable {
    case isNaN = "IS_NAN"
    case isNull = "IS_NULL"
    case isNotNaN = "IS_NOT_NAN"
    case isNotNull = "IS_NOT_NULL"
  }

  package enum Direction: String, Hashable, Sendable, Codable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  package struct FieldReference: Hashable, Sendable {
    package var fieldPath: FieldPath
    package init(_ fieldPath: FieldPath) { self.fieldPath = fieldPath }
  }

  package struct Order: Hashable, Sendable {
    package var field: FieldReference
    /// Absent: ascending.
    package var direction: Direction?

    package init(_ path: FieldPath, _ direction: Direction? = nil) {
      field = FieldReference(path)
      self.direction = direction
    }
  }

  /// A place in the order: before or after the documents that have these values.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]?
    package var before: Bool?

    package init(_ values: [Value]?, before: Bool? = nil) {
      self.values = values
      self.before = before
    }
  }

  package struct Projection: Hashable, Sendable {
    package var fields: [FieldReference]?

    package init(fields: [FieldReference]?) { self.fields = fields }
  }

  /// The documents whose vectors are nearest to a given one.
  package struct FindNearest: Hashable, Sendable {
    package enum DistanceMeasure: Hashable, Sendable {
      case euclidean, cosine, dotProduct
    }

    package var vectorField: FieldPath
    package var queryVector: Value
    package var distanceMeasure: DistanceMeasure
    package var limit: Int
    /// Where the answer's documents get their distance.
    package var distanceResultField: FieldPath?
    /// At most this far; for the dot product at least this near.
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
  /// A search by distance. The REST client has no use for it, so JSON here doesn't carry it.
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

extension StructuredQuery: Codable {
  private enum Member: String, CodingKey, CaseIterable {
    case select, from, `where`, orderBy, startAt, endAt, offset, limit
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    select = try container.decodeIfPresent(Projection.self, forKey: .select)
    from = try container.decodeIfPresent([CollectionSelector].self, forKey: .from) ?? []
    filter = try container.decodeIfPresent(Filter.self, forKey: .where)
    orderBy = try container.decodeIfPresent([Order].self, forKey: .orderBy) ?? []
    startAt = try container.decodeIfPresent(Cursor.self, forKey: .startAt)
    endAt = try container.decodeIfPresent(Cursor.self, forKey: .endAt)
    offset = try container.decodeIfPresent(Int.self, forKey: .offset) ?? 0
    limit = try container.decodeIfPresent(Int.self, forKey: .limit)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
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

extension StructuredQuery.CollectionSelector: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case collectionId, allDescendants }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    collectionId = try container.decodeIfPresent(String.self, forKey: .collectionId)
    allDescendants = try container.decodeIfPresent(Bool.self, forKey: .allDescendants)
  }
}

extension StructuredQuery.FieldReference: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case fieldPath }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fieldPath = try container.decode(FieldPath.self, forKey: .fieldPath)
  }
}

extension StructuredQuery.Order: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case field, direction }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    field = try container.decode(StructuredQuery.FieldReference.self, forKey: .field)
    direction = try container.decodeIfPresent(
      StructuredQuery.Direction.self,
      forKey: .direction
    )
  }
}

extension StructuredQuery.Cursor: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case values, before }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    values = try container.decodeIfPresent([Value].self, forKey: .values)
    before = try container.decodeIfPresent(Bool.self, forKey: .before)
  }
}

extension StructuredQuery.Projection: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case fields }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fields = try container.decodeIfPresent(
      [StructuredQuery.FieldReference].self,
      forKey: .fields
    )
  }
}

extension StructuredQuery.Filter: Codable {
  private enum Member: String, CodingKey, CaseIterable {
    case compositeFilter, fieldFilter, unaryFilter
  }

  private struct Composite: Codable {
    var op: StructuredQuery.CompositeOperator
    var filters: [StructuredQuery.Filter]?
  }

  private struct Field: Codable {
    var field: StructuredQuery.FieldReference
    var op: StructuredQuery.FieldOperator
    var value: Value
  }

  private struct Unary: Codable {
    var field: StructuredQuery.FieldReference
    var op: StructuredQuery.UnaryOperator
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    guard let member = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a filter is one of compositeFilter, fieldFilter and unaryFilter"
        )
      )
    }
    switch member {
    case .compositeFilter:
      try decoder.refuseUnknownMembers(of: member, in: container, besides: "op", "filters")
      let composite = try container.decode(Composite.self, forKey: member)
      self = .composite(composite.op, composite.filters ?? [])
    case .fieldFilter:
      try decoder.refuseUnknownMembers(
        of: member,
        in: container,
        besides: "field",
        "op",
        "value"
      )
      let field = try container.decode(Field.self, forKey: member)
      self = .field(field.field.fieldPath, field.op, field.value)
    case .unaryFilter:
      try decoder.refuseUnknownMembers(of: member, in: container, besides: "field", "op")
      let unary = try container.decode(Unary.self, forKey: member)
      self = .unary(unary.field.fieldPath, unary.op)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
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
