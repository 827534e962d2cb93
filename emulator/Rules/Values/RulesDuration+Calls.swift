import FirestoreModel

extension RulesDuration {
  /// Creates a duration of weeks (`w`), days, hours, minutes (`m`), seconds, milliseconds (`ms`) or
  /// nanoseconds.
  init(_ count: Int64, unit: String) throws(EvaluationError) {
    let seconds: Int64
    switch unit {
    case "w": seconds = 604_800
    case "d": seconds = 86_400
    case "h": seconds = 3_600
    case "m": seconds = 60
    case "s": seconds = 1
    case "ms":
      let (whole, rest) = count.quotientAndRemainder(dividingBy: 1_000)
      self = try RulesDuration(seconds: whole, nanoseconds: Int32(rest) * 1_000_000).checked()
      return
    case "ns":
      self = try RulesDuration(seconds: 0, totalNanoseconds: count).checked()
      return
    default: throw .pattern(unit)
    }
    let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
    guard !overflow else { throw Self.rangeError }
    self = try RulesDuration(seconds: product, nanoseconds: 0).checked()
  }

  /// Creates the duration of `duration.time()`, whose parts may be negative or large.
  init(
    hours: Int64,
    minutes: Int64,
    seconds: Int64,
    nanoseconds: Int64
  ) throws(EvaluationError) {
    var total: Int64 = seconds
    for (count, unit) in [(hours, 3_600), (minutes, 60)] as [(Int64, Int64)] {
      let (product, overflow) = count.multipliedReportingOverflow(by: unit)
      let (sum, sumOverflow) = total.addingReportingOverflow(product)
      guard !overflow, !sumOverflow else { throw Timestamp.rangeError }
      total = sum
    }
    self = try RulesDuration(seconds: total, totalNanoseconds: nanoseconds)
    guard (-315_576_000_000...315_576_000_000).contains(self.seconds) else {
      throw Timestamp.rangeError
    }
  }

  func call(_ method: String, _ arguments: Arguments) -> RulesValue? {
    switch (method, arguments) {
    case ("seconds", .none): .integer(seconds)
    case ("nanos", .none): .integer(Int64(nanoseconds))
    default: nil
    }
  }
}
