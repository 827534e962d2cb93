import Core

extension RulesValue {
  /// Returns the result of `<`, `<=`, `>` or `>=`.
  ///
  /// Ints and floats are compared as floats; every comparison with NaN is false.
  static func isInOrder(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): compare(op, left, right)
    case (.integer(let left), .float(let right)): compare(op, Double(left), right)
    case (.float(let left), .integer(let right)): compare(op, left, Double(right))
    case (.float(let left), .float(let right)): compare(op, left, right)
    case (.string(let left), .string(let right)): compare(op, ByteKey(left), ByteKey(right))
    case (.bytes(let left), .bytes(let right)):
      compare(op, ByteOrder(bytes: left), ByteOrder(bytes: right))
    case (.timestamp(let left), .timestamp(let right)): compare(op, left, right)
    case (.duration(let left), .duration(let right)): compare(op, left, right)
    default: throw unsupported(op, left, right)
    }
  }

  private static func compare<T: Comparable>(_ op: BinaryOperator, _ left: T, _ right: T) -> Bool {
    switch op {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    default: false
    }
  }

  private struct ByteOrder: Comparable {
    var bytes: Data
    static func < (left: ByteOrder, right: ByteOrder) -> Bool {
      left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }
}
