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

/// A map, by the keys' bytes. A document's fields become values only when they are read.
package enum RulesMap: Sendable {
  case values([ByteKey: RulesValue])
  case fields(Fields)

  package subscript(key: ByteKey) -> RulesValue? {
    switch self {
    case .values(let values): values[key]
    case .fields(let fields): fields[key].map(RulesValue.init)
    }
  }

  package var count: Int {
    switch self {
    case .values(let values): values.count
    case .fields(let fields): fields.count
    }
  }

  /// All members as values.
  package var values: [ByteKey: RulesValue] {
    switch self {
    case .values(let values): values
    case .fields(let fields): fields.mapValues(RulesValue.init)
    }
  }
}
