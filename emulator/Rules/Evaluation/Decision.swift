/// The decision of a ruleset about a request.
package enum Decision: Hashable, Sendable {
  case allowed
  /// The request is denied, with one reason for each statement that was tried, in the words of
  /// Google's emulator: `false for 'get' @ L6`. If there was none to try, the only reason is
  /// `No matching allow statements`.
  case denied([String])
}
