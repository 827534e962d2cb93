import FirestoreModel

extension Timestamp {
  func call(_ method: String, _ arguments: Arguments) -> RulesValue? {
    guard case .none = arguments else { return nil }
    let (days, secondOfDay) = seconds.dividedDown(by: 86_400)
    switch method {
    case "year": return .integer(CalendarDay(daysSince1970: days).year)
    case "month": return .integer(CalendarDay(daysSince1970: days).month)
    case "day": return .integer(CalendarDay(daysSince1970: days).day)
    case "dayOfYear": return .integer(CalendarDay(daysSince1970: days).dayOfYear)
    // 1970-01-01 is a Thursday, the fourth day of a week that begins with Monday.
    case "dayOfWeek": return .integer((days + 3).dividedDown(by: 7).remainder + 1)
    case "hours": return .integer(secondOfDay / 3_600)
    case "minutes": return .integer(secondOfDay / 60 % 60)
    case "seconds": return .integer(secondOfDay % 60)
    case "nanos": return .integer(Int64(nanoseconds))
    case "date": return .timestamp(Timestamp(seconds: days * 86_400))
    case "time":
      return .duration(RulesDuration(seconds: secondOfDay, nanoseconds: nanoseconds))
    case "toMillis": return .integer(seconds &* 1_000 &+ Int64(nanoseconds / 1_000_000))
    default: return nil
    }
  }

  /// Creates the first instant of a day.
  init(year: Int64, month: Int64, day: Int64) throws(EvaluationError) {
    guard (1...9999).contains(year) else {
      throw EvaluationError(
        "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. year: \(year)."
      )
    }
    guard let date = CalendarDay(year: year, month: month, day: day) else {
      throw EvaluationError("Date is not valid. year: \(year), month: \(month) day: \(day).")
    }
    self.init(seconds: date.daysSince1970 * 86_400)
  }

  func adding(_ duration: RulesDuration) throws(EvaluationError) -> Timestamp {
    let (sum, overflow) = seconds.addingReportingOverflow(duration.seconds)
    let (carry, rest) = (Int64(nanoseconds) + Int64(duration.nanoseconds))
      .dividedDown(by: 1_000_000_000)
    guard !overflow, (Int64.min + 1..<Int64.max).contains(sum) else { throw Self.rangeError }
    return try Timestamp(seconds: sum + carry, nanoseconds: Int32(rest)).checked()
  }

  /// Returns the timestamp, or throws if its year isn't 1 to 9999.
  func checked() throws(EvaluationError) -> Timestamp {
    guard isInFirestoreRange else { throw Self.rangeError }
    return self
  }

  static var rangeError: EvaluationError {
    EvaluationError(
      "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. "
        + "Nanos must be in range [0, +999,999,999]."
    )
  }
}
