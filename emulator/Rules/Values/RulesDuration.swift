import FirestoreModel

/// A length of time, such as the difference between two timestamps.
///
/// `seconds` and `nanoseconds` have the same sign. Whole seconds are at most 10,000 years, as in
/// protobuf.
package struct RulesDuration: Hashable, Sendable {
  package var seconds: Int64
  package var nanoseconds: Int32

  /// Creates a duration from nanoseconds, which may be out of the range of one second.
  init(seconds: Int64, totalNanoseconds: Int64) throws(EvaluationError) {
    let (carry, rest) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var (sum, overflow) = seconds.addingReportingOverflow(carry)
    guard !overflow else { throw Self.rangeError }
    var nanoseconds = Int32(rest)
    if sum > 0, nanoseconds < 0 {
      sum -= 1
      nanoseconds += 1_000_000_000
    } else if sum < 0, nanoseconds > 0 {
      sum += 1
      nanoseconds -= 1_000_000_000
    }
    self.seconds = sum
    self.nanoseconds = nanoseconds
  }

  package init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(from start: Timestamp, to end: Timestamp) {
    var seconds = end.seconds &- start.seconds
    var nanoseconds = end.nanoseconds &- start.nanoseconds
    if seconds > 0, nanoseconds < 0 {
      seconds -= 1
      nanoseconds += 1_000_000_000
    } else if seconds < 0, nanoseconds > 0 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }

  static prefix func - (duration: RulesDuration) -> RulesDuration {
    RulesDuration(seconds: 0 &- duration.seconds, nanoseconds: 0 &- duration.nanoseconds)
  }

  func adding(_ other: RulesDuration) throws(EvaluationError) -> RulesDuration {
    let (sum, overflow) = seconds.addingReportingOverflow(other.seconds)
    guard !overflow else { throw Self.rangeError }
    return try RulesDuration(
      seconds: sum,
      totalNanoseconds: Int64(nanoseconds) + Int64(other.nanoseconds)
    )
    .checked()
  }

  /// Returns the duration, or throws if it is longer than 10,000 years.
  func checked() throws(EvaluationError) -> RulesDuration {
    guard (-315_576_000_000...315_576_000_000).contains(seconds) else { throw Self.rangeError }
    return self
  }

  static var rangeError: EvaluationError {
    EvaluationError(
      "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. "
        + "Nanos must be in range [-999,999,999, +999,999,999]. "
        + "Nanos must have the same sign as seconds."
    )
  }
}

extension RulesDuration: Comparable {
  package static func < (left: RulesDuration, right: RulesDuration) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
