package import Core
package import FirestoreModel

/// A value of an expression in a ruleset.
package enum RulesValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case float(Double)
  case string(String)
  case bytes(Data)
  case timestamp(Timestamp)
  case duration(RulesDuration)
  case latLng(latitude: Double, longitude: Double)
  case path(RulesPath)
  case list([RulesValue])
  case set(RulesSet)
  case map(RulesMap)
  case mapDiff(MapDiff)
  case vector([Double])
  /// What a query requires of a field's value, in the resource that stands for all documents that
  /// the query can find.
  case constraint(Constraint)
}
