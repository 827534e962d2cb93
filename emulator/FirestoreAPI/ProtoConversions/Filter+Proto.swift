import Core
import FirestoreModel
import FirestoreProtos

extension StructuredQuery.Filter {
  init(_ proto: ProtoStructuredQuery.Filter) throws(StatusError) {
    switch proto.filterType {
    case .compositeFilter(let composite):
      self = .composite(
        try StructuredQuery.CompositeOperator(composite.op),
        try composite.filters.map { filter throws(StatusError) in
          try StructuredQuery.Filter(filter)
        }
      )
    case .fieldFilter(let field):
      self = .field(
        try FieldPath(field.field),
        try StructuredQuery.FieldOperator(field.op),
        try Value(field.value)
      )
    case .unaryFilter(let unary):
      guard case .field(let field) = unary.operandType else {
        throw StatusError(
          .invalidArgument,
          "Unsupported UnaryFilter operand type (non-FIELD)."
        )
      }
      self = .unary(try FieldPath(field), try StructuredQuery.UnaryOperator(unary.op))
    case nil:
      throw StatusError(.invalidArgument, "Unknown Filter type.")
    }
  }
}

extension StructuredQuery.CompositeOperator {
  fileprivate init(_ proto: ProtoStructuredQuery.CompositeFilter.Operator) throws(StatusError) {
    switch proto {
    case .and: self = .and
    case .or: self = .or
    case .unspecified, .UNRECOGNIZED:
      throw StatusError(.invalidArgument, "Unsupported CompositeFilter operator.")
    }
  }
}

extension StructuredQuery.FieldOperator {
  fileprivate init(_ proto: ProtoStructuredQuery.FieldFilter.Operator) throws(StatusError) {
    switch proto {
    case .lessThan: self = .lessThan
    case .lessThanOrEqual: self = .lessThanOrEqual
    case .greaterThan: self = .greaterThan
    case .greaterThanOrEqual: self = .greaterThanOrEqual
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .arrayContains: self = .arrayContains
    case .in: self = .in
    case .arrayContainsAny: self = .arrayContainsAny
    case .notIn: self = .notIn
    case .unspecified, .UNRECOGNIZED:
      throw StatusError(.invalidArgument, "Unknown FieldFilter operator.")
    }
  }
}

extension StructuredQuery.UnaryOperator {
  fileprivate init(_ proto: ProtoStructuredQuery.UnaryFilter.Operator) throws(StatusError) {
    switch proto {
    case .isNan: self = .isNaN
    case .isNull: self = .isNull
    case .isNotNan: self = .isNotNaN
    case .isNotNull: self = .isNotNull
    case .unspecified, .UNRECOGNIZED:
      throw StatusError(.invalidArgument, "Unknown UnaryFilter operator.")
    }
  }
}
