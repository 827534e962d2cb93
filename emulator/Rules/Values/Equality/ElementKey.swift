import Core
import FirestoreModel

/// A value's content as bytes, which are equal for equal values. See ``Equality``.
struct ElementKey: Hashable {
  fileprivate var bytes: [UInt8] = []
}

/// Writes the keys of values. All keys of one writer have a bounded size.
struct ElementKeyWriter {
  private var kind = Equality.Kind.exact
  private var key = ElementKey()
  /// A Boolean value that indicates whether the last key is that of a value with NaN outside of
  /// sets.
  private var containsNaN = false
  private var remaining = Limits.comparisons * 4
  /// The number of values around the current one.
  private var level = 0

  /// Returns the key of an element of a set.
  mutating func key(byValue value: RulesValue) throws(EvaluationError) -> ElementKey {
    kind = .byValue
    return try finish(value)
  }

  /// Returns the key of an element of a list, or `nil` if the element doesn't equal itself.
  mutating func key(element value: RulesValue) throws(EvaluationError) -> ElementKey? {
    kind = .exact
    switch value {
    case .float(let float) where float == 0: return try finish(.float(0))
    case .path(let path):
      return path.isComplete ? try finish(.path(RulesPath(path.segments))) : nil
    case .mapDiff: return nil
    default:
      containsNaN = false
      let key = try finish(value)
      return containsNaN ? nil : key
    }
  }

  private mutating func finish(_ value: RulesValue) throws(EvaluationError) -> ElementKey {
    key = ElementKey()
    try write(value)
    return key
  }

  private mutating func write(_ value: RulesValue) throws(EvaluationError) {
    level += 1
    defer { level -= 1 }
    guard level <= Limits.levels else { throw .tooLarge }
    switch value {
    case .null: try write(tag: 0)
    case .boolean(let boolean): try write(tag: boolean ? 1 : 2)
    case .integer(let integer): try write(tag: 3, UInt64(bitPattern: integer))
    case .float(let float): try write(float)
    case .string(let string): try write(tag: 5, string.utf8)
    case .bytes(let data): try write(tag: 6, data)
    case .timestamp(let timestamp):
      try write(tag: 7, UInt64(bitPattern: timestamp.seconds))
      try write(tag: 7, UInt64(bitPattern: Int64(timestamp.nanoseconds)))
    case .duration(let duration):
      try write(tag: 8, UInt64(bitPattern: duration.seconds))
      try write(tag: 8, UInt64(bitPattern: Int64(duration.nanoseconds)))
    case .latLng(let latitude, let longitude):
      try write(tag: 9, latitude.bitPattern)
      try write(tag: 9, longitude.bitPattern)
    case .path(let path): try write(path)
    case .list(let elements):
      try write(tag: 13, UInt64(elements.count))
      for element in elements { try write(element) }
    case .set(let set):
      try write(tag: 14, UInt64(set.elements.count))
      try write(sorted: set)
    case .map(let map):
      try map.requireAll()
      try write(tag: 15, UInt64(map.count))
      for name in map.sortedKeys {
        try write(tag: 15, name.utf8)
        try write(map[name] ?? .null)
      }
    case .mapDiff(let diff):
      for names in [diff.added, diff.removed, diff.changed, diff.unchanged] {
        try write(tag: 16, UInt64(names.count))
        for name in names { try write(tag: 16, name.utf8) }
      }
    case .vector(let elements):
      try write(tag: 17, UInt64(elements.count))
      for element in elements { try write(element) }
    case .constraint: throw .unproven
    }
  }

  private mutating func write(_ float: Double) throws(EvaluationError) {
    if kind == .byValue, let integer = Int64(exactly: float) {
      try write(tag: 3, UInt64(bitPattern: integer))
    } else {
      if kind == .exact, float.isNaN { containsNaN = true }
      try write(tag: 4, float.isNaN ? Double.nan.bitPattern : float.bitPattern)
    }
  }

  private mutating func write(_ path: RulesPath) throws(EvaluationError) {
    let isFlat = kind == .byValue && path.isComplete
    let parts = isFlat ? RulesPath(path.segments).parts : path.parts
    try write(tag: 10, UInt64(parts.count))
    for part in parts {
      switch part {
      case .segment(let segment): try write(tag: 10, segment.utf8)
      case .capture(let name, let segment):
        try write(tag: 11, name.utf8)
        if let segment { try write(tag: 11, segment.utf8) } else { try write(tag: 0) }
      case .globCapture(let name, let segments):
        try write(tag: 12, name.utf8)
        if let segments {
          try write(tag: 12, UInt64(segments.count))
          for segment in segments { try write(tag: 12, segment.utf8) }
        } else {
          try write(tag: 0)
        }
      }
    }
  }

  /// Writes the elements' keys in the order of their bytes, because sets have no order.
  private mutating func write(sorted set: RulesSet) throws(EvaluationError) {
    let start = key.bytes.count
    var keys: [[UInt8]] = []
    let outer = kind
    kind = .byValue
    for element in set.elements {
      try write(element)
      keys.append(Array(key.bytes[start...]))
      key.bytes.removeSubrange(start...)
    }
    kind = outer
    keys.sort { $0.lexicographicallyPrecedes($1) }
    for bytes in keys { try write(tag: 14, bytes) }
  }

  private mutating func write(tag: UInt8) throws(EvaluationError) {
    remaining -= 1
    guard remaining > 0 else { throw .tooLarge }
    key.bytes.append(tag)
  }

  private mutating func write(tag: UInt8, _ number: UInt64) throws(EvaluationError) {
    remaining -= 8
    try write(tag: tag)
    withUnsafeBytes(of: number) { key.bytes.append(contentsOf: $0) }
  }

  private mutating func write(
    tag: UInt8,
    _ bytes: some Collection<UInt8>
  ) throws(EvaluationError) {
    remaining -= bytes.count
    try write(tag: tag, UInt64(bytes.count))
    key.bytes.append(contentsOf: bytes)
  }
}
