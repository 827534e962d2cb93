import Core

/// The difference between two maps, the result of `map.diff(other)`.
///
/// A key is added if only `map` has it, and removed if only `other` has it.
package struct MapDiff: Sendable {
  /// The keys, sorted.
  let added, removed, changed, unchanged: [ByteKey]

  package init(from other: RulesMap, to map: RulesMap) throws(EvaluationError) {
    try map.requireAll()
    try other.requireAll()
    var (added, changed, unchanged): ([ByteKey], [ByteKey], [ByteKey]) = ([], [], [])
    var equality = Equality(.byValue)
    for key in map.sortedKeys {
      guard let value = map[key], let otherValue = other[key] else {
        added.append(key)
        continue
      }
      if try equality.areEqual(value, otherValue) {
        unchanged.append(key)
      } else {
        changed.append(key)
      }
    }
    (self.added, self.changed, self.unchanged) = (added, changed, unchanged)
    removed = other.sortedKeys.filter { !map.contains($0) }
  }

  /// The keys that were changed, removed or added.
  var affected: [ByteKey] { changed + removed + added }

  func hasSameKeys(as other: MapDiff) -> Bool {
    added == other.added && removed == other.removed && changed == other.changed
      && unchanged == other.unchanged
  }
}
