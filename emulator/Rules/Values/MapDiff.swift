/// The difference between two maps, the result of `map.diff()`.
package struct MapDiff: Sendable {
  package var map: RulesMap
  package var other: RulesMap
}
