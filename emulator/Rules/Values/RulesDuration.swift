/// A length of time, such as the difference between two timestamps.
package struct RulesDuration: Hashable, Sendable {
  package var seconds: Int64
  package var nanoseconds: Int32
}
