/// A day of the proleptic Gregorian calendar.
struct CalendarDay {
  let year, month, day: Int64
  let daysSince1970: Int64

  /// - Returns: `nil` if the month has no such day.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else {
      return nil
    }
    self.init(
      year: year,
      month: month,
      day: day,
      daysSince1970: Self.days(before: year) + Self.days(beforeMonth: month, of: year) + day - 1
    )
  }

  init(daysSince1970 days: Int64) {
    // The year's average length gives the year or one of its neighbors.
    var year = 1970 + (days * 400).dividedDown(by: 146_097).quotient
    while Self.days(before: year) > days { year -= 1 }
    while Self.days(before: year + 1) <= days { year += 1 }
    let dayOfYear = days - Self.days(before: year)
    var month: Int64 = 12
    while Self.days(beforeMonth: month, of: year) > dayOfYear { month -= 1 }
    self.init(
      year: year,
      month: month,
      day: dayOfYear - Self.days(beforeMonth: month, of: year) + 1,
      daysSince1970: days
    )
  }

  private init(year: Int64, month: Int64, day: Int64, daysSince1970: Int64) {
    (self.year, self.month, self.day) = (year, month, day)
    self.daysSince1970 = daysSince1970
  }

  /// The day's number in its year, from 1.
  var dayOfYear: Int64 { daysSince1970 - Self.days(before: year) + 1 }

  /// The days from 1970-01-01 to the first day of a year.
  private static func days(before year: Int64) -> Int64 {
    let past = year - 1
    let leapDays =
      past.dividedDown(by: 4).quotient - past.dividedDown(by: 100).quotient
      + past.dividedDown(by: 400).quotient
    return (year - 1970) * 365 + leapDays - 477
  }

  private static func isLeap(_ year: Int64) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func days(beforeMonth month: Int64, of year: Int64) -> Int64 {
    (1..<month).reduce(0) { $0 + days(inMonth: $1, of: year) }
  }
}
