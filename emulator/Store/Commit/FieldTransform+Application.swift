package import FirestoreModel

extension FieldTransform {
  /// Transforms a field in place.
  ///
  /// - Parameter time: The commit's time. A server timestamp is this time, truncated to
  ///   milliseconds.
  /// - Returns: The transform's value in the write result: the field's new value, or null for an
  ///   array transform.
  func apply(to fields: inout Fields, at time: Timestamp) -> Value {
    let current = fields[fieldPath]
    let (value, result) = outcome(current, at: time)
    fields.set(value, at: fieldPath)
    return result
  }

  private func outcome(_ current: Value?, at time: Timestamp) -> (value: Value, result: Value) {
    let value: Value
    switch operation {
    case .setToServerValue(.requestTime):
      value = .timestamp(time.truncatedToMilliseconds)
    case .increment(let operand):
      value = current.flatMap { $0.sum(with: operand) } ?? operand
    case .maximum(let operand):
      value = Self.extreme(current, operand, sign: 1)
    case .minimum(let operand):
      value = Self.extreme(current, operand, sign: -1)
    case .appendMissingElements(let elements):
      var array = current?.arrayValue ?? []
      var known = Set(array.map { KeyBytes(whole: $0) })
      for element in elements where known.insert(KeyBytes(whole: element)).inserted {
        array.append(element)
      }
      return (.array(array), .null)
    case .removeAllFromArray(let elements):
      let array = current?.arrayValue ?? []
      let unwanted = Set(elements.map { KeyBytes(whole: $0) })
      return (.array(array.filter { !unwanted.contains(KeyBytes(whole: $0)) }), .null)
    }
    return (value, value)
  }

  /// Returns the larger (sign 1) or smaller (sign -1) of two numbers.
  ///
  /// If they are equal, the stored value and its type remain. NaN wins over every number.
  private static func extreme(_ current: Value?, _ operand: Value, sign: Int) -> Value {
    guard let current, current.typeOrder == .number else { return operand }
    if current.isNaN || operand.isNaN { return .double(.nan) }
    return current.compare(to: operand) * sign < 0 ? operand : current
  }
}

extension Value {
  /// A Boolean value that indicates whether the value is the double NaN.
  var isNaN: Bool {
    if case .double(let double) = self { double.isNaN } else { false }
  }

  /// Returns the sum of two numbers, or `nil` if either value isn't a number.
  ///
  /// An integer sum that overflows becomes the largest or smallest integer. If either number is a
  /// double, the sum is a double.
  fileprivate func sum(with operand: Value) -> Value? {
    if case (.integer(let left), .integer(let right)) = (self, operand) {
      let (sum, overflows) = left.addingReportingOverflow(right)
      return .integer(overflows ? (right < 0 ? .min : .max) : sum)
    }
    guard let left = asDouble, let right = operand.asDouble else { return nil }
    return .double(left + right)
  }

  private var asDouble: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .double(let double): double
    default: nil
    }
  }
}

extension Timestamp {
  /// The time in whole milliseconds, rounded down: the precision of server timestamps.
  package var truncatedToMilliseconds: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
  }
}
