package import Core
package import FirestoreModel
package import FirestoreProtos
import SwiftProtobuf

extension StructuredQuery {
  /// Creates a query from its message.
  ///
  /// - Throws: `INVALID_ARGUMENT` for unknown operators and invalid paths. The store checks the
  ///   rest of the query.
  package init(_ proto: ProtoStructuredQuery) throws(StatusError) {
    self.init(from: "")
    from = proto.from.map { CollectionSelector($0.collectionID, allDescendants: $0.allDescendants) }
    if proto.hasSelect {
      select = Projection(
        fields: try proto.select.fields.map { field throws(StatusError) in
          FieldReference(try FieldPath(field))
        }
      )
    }
    if proto.hasWhere { filter = try Filter(proto.where) }
    orderBy = try proto.orderBy.map { order throws(StatusError) in try Order(order) }
    if proto.hasStartAt { startAt = try Cursor(proto.startAt) }
    if proto.hasEndAt { endAt = try Cursor(proto.endAt) }
    offset = Int(proto.offset)
    if proto.hasLimit { limit = Int(proto.limit.value) }
    if proto.hasFindNearest { findNearest = try FindNearest(proto.findNearest) }
  }
}

extension FieldPath {
  init(_ proto: ProtoStructuredQuery.FieldReference) throws(StatusError) {
    try self.init(parsing: proto.fieldPath)
  }
}

extension StructuredQuery.Order {
  init(_ proto: ProtoStructuredQuery.Order) throws(StatusError) {
    let direction: StructuredQuery.Direction? =
      switch proto.direction {
      case .unspecified: nil
      case .ascending: .ascending
      case .descending: .descending
      case .UNRECOGNIZED: throw StatusError(.invalidArgument, "Unrecognized ordering.")
      }
    self.init(try FieldPath(proto.field), direction)
  }
}

extension StructuredQuery.Cursor {
  /// Creates a cursor, or returns `nil` if the message has no values, because such a cursor
  /// excludes no document.
  init?(_ proto: ProtoCursor) throws(StatusError) {
    guard !proto.values.isEmpty else { return nil }
    self.init(try [Value](proto.values), before: proto.before)
  }
}

extension StructuredQuery.FindNearest {
  init(_ proto: ProtoStructuredQuery.FindNearest) throws(StatusError) {
    let queryVector = try Value(proto.queryVector)
    let measure: DistanceMeasure =
      switch proto.distanceMeasure {
      case .euclidean: .euclidean
      case .cosine: .cosine
      case .dotProduct: .dotProduct
      case .unspecified, .UNRECOGNIZED:
        throw StatusError(.invalidArgument, "FindNearest.distance_measure is not specified.")
      }
    self.init(
      vectorField: try FieldPath(proto.vectorField),
      queryVector: queryVector,
      distanceMeasure: measure,
      limit: Int(proto.limit.value),
      distanceResultField: proto.distanceResultField.isEmpty
        ? nil : try FieldPath(parsing: proto.distanceResultField),
      distanceThreshold: proto.hasDistanceThreshold ? proto.distanceThreshold.value : nil
    )
  }
}
