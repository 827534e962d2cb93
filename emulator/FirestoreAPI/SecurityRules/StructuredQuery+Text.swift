import FirestoreModel
import Rules

extension StructuredQuery {
  /// The query's conditions for people, such as `where participants array-contains 'sarah' order by
  /// lastMessageAt descending limit 50`, or an empty text if it has none.
  var conditionsText: String {
    var parts: [String] = []
    if let filter { parts.append("where \(filter.text)") }
    if !orderBy.isEmpty {
      let fields = orderBy.map {
        "\($0.field.fieldPath)\($0.direction == .descending ? " descending" : "")"
      }
      parts.append("order by \(fields.joined(separator: ", "))")
    }
    if startAt != nil { parts.append("from a cursor") }
    if endAt != nil { parts.append("to a cursor") }
    if offset > 0 { parts.append("offset \(offset)") }
    if let limit { parts.append("limit \(limit)") }
    return parts.joined(separator: " ")
  }
}

extension StructuredQuery.Filter {
  fileprivate var text: String {
    switch self {
    case .composite(let op, let filters):
      let word = op == .and ? " and " : " or "
      return "(\(filters.map(\.text).joined(separator: word)))"
    case .field(let path, let op, let value):
      return "\(path) \(op.text) \(RulesValue(value).shownText)"
    case .unary(let path, let op):
      let word = op.rawValue.lowercased().split(separator: "_").joined(separator: " ")
      return "\(path) \(word)"
    }
  }
}

extension StructuredQuery.FieldOperator {
  fileprivate var text: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .arrayContains, .in, .arrayContainsAny, .notIn:
      rawValue.lowercased().split(separator: "_").joined(separator: "-")
    }
  }
}
