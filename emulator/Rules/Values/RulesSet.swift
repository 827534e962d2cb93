/// A set of values.
package struct RulesSet: Sendable {
  package var elements: [RulesValue]
}
