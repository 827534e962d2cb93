package import Core

/// The requirements that a query has of a field, in the resource that stands for all documents that
/// the query can find.
///
/// An expression with a constraint has a value only if it has the same value for all documents. If
/// the documents may differ, its evaluation is an error, which doesn't allow the query. Unlike in
/// Google's emulator, "unknown" is never `false`, because `!` would make `true` of it.
package struct Constraint: Sendable {
  package enum Comparator: Hashable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The field is a list that contains the value.
    case contains
  }

  package struct Condition: Sendable {
    package var comparator: Comparator
    package var value: RulesValue

    package init(_ comparator: Comparator, _ value: RulesValue) {
      self.comparator = comparator
      self.value = value
    }
  }

  /// The conditions that every value meets. There are none if the field only has to exist.
  package var conditions: [Condition]
  /// A Boolean value that indicates whether the constraint stands for the keys of a map, which may
  /// have further ones.
  package var isOfKeys: Bool

  package init(_ conditions: [Condition], isOfKeys: Bool = false) {
    self.conditions = conditions
    self.isOfKeys = isOfKeys
  }

  /// The keys of a map that may have further ones.
  package init(keys: some Collection<ByteKey>) {
    self.init(keys.map { Condition(.contains, .string($0.string)) }, isOfKeys: true)
  }
}

extension EvaluationError {
  /// The error of an expression that may be false for a document that a query can find.
  static var unproven: EvaluationError {
    EvaluationError("The query's filter doesn't prove the condition.")
  }

  /// The error of an expression about members of a map that a query doesn't mention.
  static var openMembers: EvaluationError {
    EvaluationError("The query's filter leaves open which other members the map has.")
  }
}
