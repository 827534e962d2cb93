import Core

/// Firestore's total order of values: by type first, then within the type.
///
/// Source: cloud.google.com/firestore/docs/concepts/data-types; for numeric document IDs and
/// vectors, which that page doesn't mention, Google's emulator.
extension Value {
  /// The rank of a value's type in the order. Values with different ranks are never equal.
  package enum TypeOrder: Int, Comparable, Sendable {
    case null, minKey, boolean, number, timestamp, bsonTimestamp, string, bytes, binary, reference
    case objectID, geoPoint, regularExpression, array, vector, map, maxKey

    package static func < (left: TypeOrder, right: TypeOrder) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package var typeOrder: TypeOrder {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .double: .number
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .map: bson?.typeOrder ?? (vectorElements == nil ? .map : .vector)
    }
  }

  /// The elements of a vector, or `nil` for other values. A vector is a map with the reserved field
  /// `__type__`.
  private var vectorElements: [Value]? {
    guard case .map(let fields) = self, fields["__type__"]?.stringValue == "__vector__" else {
      return nil
    }
    return fields["value"]?.arrayValue
  }

  /// Returns -1, 0 or 1 if this value is less than, equal to or greater than another one.
  package func compare(to other: Value) -> Int {
    let ranks = (typeOrder, other.typeOrder)
    if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
    switch (comparable, other.comparable) {
    case (.boolean(let left), .boolean(let right)): return order(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): return order(left, right)
    case (.integer(let left), .double(let right)): return compareExactly(left, right)
    case (.double(let left), .integer(let right)): return -compareExactly(right, left)
    case (.double(let left), .double(let right)):
      // NaN comes before every number and equals itself.
      if left.isNaN || right.isNaN { return order(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1) }
      return order(left, right)
    case (.timestamp(let left), .timestamp(let right)): return order(left, right)
    case (.string(let left), .string(let right)): return orderBytes(left.utf8, right.utf8)
    case (.bytes(let left), .bytes(let right)): return orderBytes(left, right)
    case (.reference(let left), .reference(let right)):
      return ResourcePath.compareNames(left, right)
    case (.geoPoint(let latitude, let longitude), .geoPoint(let otherLatitude, let otherLongitude)):
      let latitudes = order(latitude, otherLatitude)
      return latitudes != 0 ? latitudes : order(longitude, otherLongitude)
    case (.array(let left), .array(let right)): return Self.compareArrays(left, right)
    case (.map(let left), .map(let right)):
      if let leftVector = vectorElements, let rightVector = other.vectorElements {
        let dimensions = order(leftVector.count, rightVector.count)
        return dimensions != 0 ? dimensions : Self.compareArrays(leftVector, rightVector)
      }
      return Self.compareMaps(left, right)
    default: return 0  // null and null
    }
  }

  private static func compareArrays(_ left: [Value], _ right: [Value]) -> Int {
    for (leftElement, rightElement) in zip(left, right) {
      let result = leftElement.compare(to: rightElement)
      if result != 0 { return result }
    }
    return order(left.count, right.count)
  }

  private static func compareMaps(_ left: Fields, _ right: Fields) -> Int {
    let leftKeys = left.keys.sorted()
    let rightKeys = right.keys.sorted()
    for (leftKey, rightKey) in zip(leftKeys, rightKeys) {
      let keys = order(leftKey, rightKey)
      if keys != 0 { return keys }
      let values = (left[leftKey] ?? .null).compare(to: right[rightKey] ?? .null)
      if values != 0 { return values }
    }
    return order(left.count, right.count)
  }
}

/// Returns -1, 0 or 1 if the left value is less than, equal to or greater than the right one.
package func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
  left < right ? -1 : left > right ? 1 : 0
}

/// Compares sequences of unsigned bytes lexicographically. For UTF-8 this is the order of code
/// points. The order of UTF-16 and that of Swift's `<` for strings differ from it.
package func orderBytes(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
  if left.lexicographicallyPrecedes(right) { return -1 }
  return right.lexicographicallyPrecedes(left) ? 1 : 0
}

/// Compares an integer and a Double exactly. Converting the integer to Double would lose digits:
/// 2^53 + 1 has no Double.
private func compareExactly(_ integer: Int64, _ double: Double) -> Int {
  if double.isNaN { return 1 }
  if double >= 0x1p63 { return -1 }
  if double < -0x1p63 { return 1 }
  let whole = double.rounded(.towardZero)
  let result = order(integer, Int64(whole))
  return result != 0 ? result : order(whole, double)
}
