/// What JSON may be beyond its grammar.
package struct JSONLimits: Sendable {
  /// How many objects and arrays may be inside one another.
  package var depth: Int
  /// Whether an object may have several members of one name, of which the last counts. Whatever two
  /// readers must understand alike may not.
  package var allowsRepeatedNames: Bool

  package init(depth: Int = 512, allowsRepeatedNames: Bool = true) {
    self.depth = depth
    self.allowsRepeatedNames = allowsRepeatedNames
  }
}
