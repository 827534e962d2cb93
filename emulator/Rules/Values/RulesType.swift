/// The type of a value, by the name that the operator `is` and Google's error texts use.
package enum RulesType: String, Hashable, Sendable, CaseIterable {
  case null, bool, int, float, string, bytes, timestamp, duration, latlng, path, list, set, map
  case vector, constraint
  case mapDiff = "map_diff"
}

extension RulesValue {
  package var type: RulesType {
    switch self {
    case .null: .null
    case .boolean: .bool
    case .integer: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .latLng: .latlng
    case .path: .path
    case .list: .list
    case .set: .set
    case .map: .map
    case .mapDiff: .mapDiff
    case .vector: .vector
    case .constraint: .constraint
    }
  }

  /// The type's name in Google's error texts.
  package var typeName: String { type.rawValue }

  /// Returns whether the value is of a type, such as `string`: the operator `is`.
  ///
  /// `number` stands for `int` and `float`. Google's emulator says of no value that it is a `set`.
  /// The compiler refuses unknown names and `null`.
  package func isOfType(_ name: String) throws(EvaluationError) -> Bool {
    if case .constraint(let constraint) = self { return try constraint.isOfType(name) }
    if name == "number" { return type == .int || type == .float }
    guard let expected = RulesType(rawValue: name), expected != .null else {
      throw EvaluationError("Unknown type: \(name).")
    }
    return type == expected && expected != .set
  }
}
