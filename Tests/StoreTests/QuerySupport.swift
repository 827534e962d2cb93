import FirestoreModel

typealias Filter = StructuredQuery.Filter
typealias Order = StructuredQuery.Order
typealias Cursor = StructuredQuery.Cursor

let v = FieldPath("v")

/// Returns a filter on the field `v`.
func filter(_ op: StructuredQuery.FieldOperator, _ operand: Value) -> Filter {
  .field(v, op, operand)
}

func query(
  _ filter: Filter? = nil,
  orderBy: [Order] = [],
  from start: Cursor? = nil,
  to end: Cursor? = nil,
  offset: Int = 0,
  limit: Int? = nil
) -> StructuredQuery {
  var query = StructuredQuery(from: "c", where: filter, orderBy: orderBy, limit: limit)
  query.startAt = start
  query.endAt = end
  query.offset = offset
  return query
}
