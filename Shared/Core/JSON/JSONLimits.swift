/// Limits on JSON beyond its grammar, and an extension of it.
package struct JSONLimits: Sendable {
  /// The maximum nesting depth of objects and arrays.
  package var depth: Int
  /// A Boolean value that indicates whether an object may repeat a field's name. If it does, the
  /// last value counts.
  ///
  /// Don't allow this if another program parses the same JSON, because it may use the first value.
  package var allowsRepeatedNames: Bool
  /// A Boolean value that indicates whether the outermost object may repeat a field's name.
  package var allowsRepeatedNamesAtTop: Bool
  /// A Boolean value that indicates whether comments, `//` and `/* */`, may be where white space may
  /// be.
  package var allowsComments: Bool

  package init(
    depth: Int = 512,
    allowsRepeatedNames: Bool = true,
    allowsRepeatedNamesAtTop: Bool? = nil,
    allowsComments: Bool = false
  ) {
    self.depth = depth
    self.allowsRepeatedNames = allowsRepeatedNames
    self.allowsRepeatedNamesAtTop = allowsRepeatedNamesAtTop ?? allowsRepeatedNames
    self.allowsComments = allowsComments
  }
}
