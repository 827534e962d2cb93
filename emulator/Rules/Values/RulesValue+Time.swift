import Core
import FirestoreModel

extension RulesValue {
  /// Returns the result of a function of the namespace `timestamp`.
  static func call(
    timestamp name: String,
    _ arguments: Arguments
  ) throws(EvaluationError) -> RulesValue? {
    switch (name, arguments) {
    case ("value", .one(.integer(let milliseconds))):
      let (seconds, rest) = milliseconds.dividedDown(by: 1_000)
      let timestamp = Timestamp(seconds: seconds, nanoseconds: Int32(rest) * 1_000_000)
      return .timestamp(try timestamp.checked())
    case ("value", .one(.string(let text))):
      // RFC 3339 with capital letters. Google's emulator also accepts days that don't exist.
      guard text.utf8.allSatisfy({ $0 < UInt8(ascii: "a") && $0 != UInt8(ascii: " ") }),
        let timestamp = try? Timestamp(text)
      else { throw Timestamp.rangeError }
      return .timestamp(timestamp)
    case ("date", .three(.integer(let year), .integer(let month), .integer(let day))):
      return .timestamp(try Timestamp(year: year, month: month, day: day))
    default: return nil
    }
  }

  /// Returns the result of a function of the namespace `duration`.
  static func call(
    duration name: String,
    _ arguments: Arguments
  ) throws(EvaluationError) -> RulesValue? {
    switch (name, arguments) {
    case ("value", .two(.integer(let count), .string(let unit))):
      return .duration(try RulesDuration(count, unit: unit))
    case (
      "time",
      .four(.integer(let hours), .integer(let minutes), .integer(let seconds), .integer(let nanos))
    ):
      return .duration(
        try RulesDuration(hours: hours, minutes: minutes, seconds: seconds, nanoseconds: nanos)
      )
    case ("abs", .one(.duration(let duration))):
      return .duration(duration < RulesDuration(seconds: 0, nanoseconds: 0) ? -duration : duration)
    default: return nil
    }
  }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which isn't negative.
  func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
