import Core

extension RulesValue {
  /// Returns the result of `<`, `<=`, `>` or `>=`.
  ///
  /// Ints and floats are compared as floats; every comparison with NaN is false. Strings are compared
  /// by their UTF-16 units, as in Google's emulator.
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
    case (.string(let left), .string(let right)):
      compare(op, Order(items: left.utf16), Order(items: right.utf16))
    case (.bytes(let left), .bytes(let right)):
      compare(op, Order(items: left), Order(items: right))
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
}

/// The lexicographic order of collections.
private struct Order<Items: Collection>: Comparable where Items.Element: Comparable {
  var items: Items

  static func == (left: Order, right: Order) -> Bool { left.items.elementsEqual(right.items) }

  static func < (left: Order, right: Order) -> Bool {
    left.items.lexicographicallyPrecedes(right.items)
  }
}
