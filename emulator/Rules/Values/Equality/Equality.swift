import Core

/// The comparison of two values, with all of their content.
///
/// Google's emulator has three kinds of equality, which differ for numbers, paths and differences
/// of maps:
///
/// | | `==` | an element of a list | content of lists and maps | sets, `diff()` |
/// |---|---|---|---|---|
/// | 1 and 1.0 | equal | different | different | equal |
/// | 0.0 and -0.0 | equal | equal | different | equal |
/// | NaN and NaN | different | different | different | equal |
/// | `/a/b` and `path('/a/{x}').bind({'x': 'b'})` | equal | equal | different | equal |
/// | differences of the same maps | different | different | equal | equal |
struct Equality {
  enum Kind {
    /// The equality of `==` for the content of lists and maps.
    case exact
    /// The equality of sets and of `diff()`.
    case byValue
  }

  let kind: Kind
  /// How many more values may be compared.
  private var remaining = Limits.comparisons
  /// The number of values around the current ones.
  private var level = 0

  init(_ kind: Kind) { self.kind = kind }

  mutating func areEqual(
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> Bool {
    remaining -= 1
    level += 1
    defer { level -= 1 }
    guard remaining > 0, level <= Limits.levels else { throw .tooLarge }
    switch (left, right) {
    case (.null, .null): return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.float(let left), .float(let right)): return areEqual(left, right)
    case (.integer(let integer), .float(let float)), (.float(let float), .integer(let integer)):
      return kind == .byValue && Int64(exactly: float) == integer
    case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): return left == right
    case (.timestamp(let left), .timestamp(let right)): return left == right
    case (.duration(let left), .duration(let right)): return left == right
    case (.latLng(let latitude, let longitude), .latLng(let otherLatitude, let otherLongitude)):
      return latitude.bitPattern == otherLatitude.bitPattern
        && longitude.bitPattern == otherLongitude.bitPattern
    case (.path(let left), .path(let right)):
      return kind == .byValue ? left.hasSameSegments(as: right) : left == right
    case (.list(let left), .list(let right)): return try areEqual(left, right)
    case (.set(let left), .set(let right)): return try left.isEqual(to: right)
    case (.map(let left), .map(let right)): return try areEqual(left, right)
    case (.mapDiff(let left), .mapDiff(let right)): return left.hasSameKeys(as: right)
    case (.vector(let left), .vector(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
    case (.constraint, .constraint): throw .unproven
    case (.constraint(let constraint), let value), (let value, .constraint(let constraint)):
      // Google's emulator doesn't compare constraints by value either.
      guard kind == .exact, try constraint.excludes(value) else { throw .unproven }
      return false
    default: return false
    }
  }

  private func areEqual(_ left: Double, _ right: Double) -> Bool {
    switch kind {
    case .exact: left.bitPattern == right.bitPattern && !left.isNaN
    case .byValue: left == right || left.isNaN && right.isNaN
    }
  }

  private mutating func areEqual(
    _ left: [RulesValue],
    _ right: [RulesValue]
  ) throws(EvaluationError) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where try !areEqual(left[index], right[index]) { return false }
    return true
  }

  private mutating func areEqual(
    _ left: RulesMap,
    _ right: RulesMap
  ) throws(EvaluationError) -> Bool {
    if right.isPartial && !left.isPartial { return try areEqual(right, left) }
    guard left.isPartial || left.count == right.count else { return false }
    // A member that differs decides, whichever the members are that aren't known.
    var error: EvaluationError? = left.isPartial ? .openMembers : nil
    for key in left.keys {
      guard let value = left[key] else { continue }
      guard let other = right[key] else {
        guard right.isPartial else { return false }
        continue
      }
      do throws(EvaluationError) {
        if try !areEqual(value, other) { return false }
      } catch let unknown {
        error = unknown
      }
    }
    if let error { throw error }
    return true
  }
}
