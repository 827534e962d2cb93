import Core

extension RulesMap {
  func call(_ method: String, _ arguments: Arguments) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments) {
    case ("size", .none):
      try requireAll()
      return .integer(Int64(count))
    case ("keys", .none):
      return isPartial
        ? .constraint(Constraint(keys: keys)) : .list(sortedKeys.map { .string($0.string) })
    case ("values", .none):
      try requireAll()
      return .list(sortedKeys.map { self[$0] ?? .null })
    case ("get", .two(.string(let key), let fallback)):
      return try value(ByteKey(key)) ?? fallback
    case ("get", .two(.list(let path), let fallback)): return try value(at: path) ?? fallback
    case ("diff", .one(.map(let other))): return .mapDiff(try MapDiff(from: other, to: self))
    default: return nil
    }
  }

  /// Returns the value of a key, or `nil` if the map doesn't have it.
  private func value(_ key: ByteKey) throws(EvaluationError) -> RulesValue? {
    if let value = self[key] { return value }
    try requireAll()
    return nil
  }

  /// Returns the value at the end of a path of keys, or `nil` if one of them is missing.
  private func value(at path: [RulesValue]) throws(EvaluationError) -> RulesValue? {
    var keys: [ByteKey] = []
    for element in path {
      guard case .string(let key) = element else { throw .type(element, expected: .string) }
      keys.append(ByteKey(key))
    }
    var value: RulesValue? = .map(self)
    for key in keys {
      if case .constraint? = value { throw .unproven }
      guard case .map(let map)? = value else { return nil }
      value = try map.value(key)
    }
    return value
  }
}

extension MapDiff {
  func call(_ method: String, _ arguments: Arguments) -> RulesValue? {
    switch (method, arguments) {
    case ("addedKeys", .none): .set(RulesSet(keys: added))
    case ("removedKeys", .none): .set(RulesSet(keys: removed))
    case ("changedKeys", .none): .set(RulesSet(keys: changed))
    case ("unchangedKeys", .none): .set(RulesSet(keys: unchanged))
    case ("affectedKeys", .none): .set(RulesSet(keys: affected))
    default: nil
    }
  }
}
