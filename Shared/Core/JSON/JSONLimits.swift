/// What JSON may be beyond its grammar.
package struct JSONLimits: Sendable {
  /// How many objects and arrays may be inside one another.
  package var depth: Int
  /// Whether an object may have several members of one name, of which the last counts. Whatever two
  /// readers must understand alike may not.
  package var allowsRepeatedNames: Bool
  /// The same of the outermost object alone.
  package var allowsRepeatedNamesAtTop: Bool

  package init(
    depth: Int = 512,
    allowsRepeatedNames: Bool = true,
    allowsRepeatedNamesAtTop: Bool? = nil
  ) {
    self.depth = depth
    self.allowsRepeatedNames = allowsRepeatedNames
    self.allowsRepeatedNamesAtTop = allowsRepeatedNamesAtTop ?? allowsRepeatedNames
  }
}
