import Core

/// The equality that decides whether a write changes a value: same type and same content.
///
/// NaN equals itself, and 0 and -0 differ. Strings are compared by their bytes. Swift's `==` for
/// strings would treat the two encodings of é as equal.
extension Value {
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)):
      left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.reference(let left), .reference(let right)): left.hasSameBytes(as: right)
    case (.geoPoint(let latitude, let longitude), .geoPoint(let otherLatitude, let otherLongitude)):
      latitude == otherLatitude && longitude == otherLongitude
    case (.array(let left), .array(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .boolean(let boolean): hasher.combine(boolean)
    case .integer(let integer): hasher.combine(integer)
    case .double(let double): hasher.combine(double.isNaN ? 0 : double.bitPattern)
    case .timestamp(let timestamp): hasher.combine(timestamp)
    case .string(let string), .reference(let string): hasher.combine(ByteKey(string))
    case .bytes(let data): hasher.combine(data)
    case .geoPoint(let latitude, let longitude):
      hasher.combine(latitude)
      hasher.combine(longitude)
    case .array(let values): hasher.combine(values)
    case .map(let fields): hasher.combine(fields)
    }
  }
}
