import Core

extension RulesValue {
  /// Returns the result of `==`: values of different types differ, but ints and floats are compared
  /// as floats.
  static func areEqual(
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.integer(let left), .float(let right)): Double(left) == right
    case (.float(let left), .integer(let right)): left == Double(right)
    default: try areSameElement(left, right)
    }
  }

  /// Returns whether `left` equals `right` as an element of a list. See ``Equality``.
  static func areSameElement(
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.float(let left), .float(let right)): return left == right
    case (.path(let left), .path(let right)):
      return left.isComplete && right.isComplete && left.hasSameSegments(as: right)
    case (.mapDiff, .mapDiff): return false
    default:
      var equality = Equality(.exact)
      return try equality.areEqual(left, right)
    }
  }

  /// Returns the result of the operator `in`.
  func isContained(in container: RulesValue) throws(EvaluationError) -> Bool {
    switch container {
    case .list(let elements):
      for element in elements where try Self.areSameElement(self, element) { return true }
      return false
    case .set(let set): return try set.contains(self)
    case .map(let map):
      guard case .string(let key) = self else {
        throw .unsupported("map.in(\(typeName))", expected: "map.in(string)")
      }
      if map.contains(ByteKey(key)) { return true }
      try map.requireAll()
      return false
    case .null: throw .nullValue
    default: throw .functionNotFound("in")
    }
  }
}
