extension RulesValue {
  /// The bytes of memory that a new value takes, without the parts that it shares with its operands.
  var ownBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .list(let elements): elements.count * MemoryLayout<RulesValue>.stride
    case .set(let set): set.elements.count * MemoryLayout<RulesValue>.stride
    case .map(.values(let values)): values.count * 2 * MemoryLayout<RulesValue>.stride
    case .mapDiff(let difference):
      (difference.affected.count + difference.unchanged.count) * MemoryLayout<String>.stride
    case .path(let path): path.segments.count * MemoryLayout<String>.stride
    case .vector(let numbers): numbers.count * MemoryLayout<Double>.stride
    case .null, .boolean, .integer, .float, .timestamp, .duration, .latLng, .map, .constraint: 0
    }
  }
}
