package import Core

/// An instant as stored by Firestore: seconds and nanoseconds since 1970 in UTC.
///
/// A precondition on `updateTime` needs every digit. Foundation's `Date` would lose those below a
/// millisecond in JSON.
package struct Timestamp: Hashable, Sendable {
  /// The whole seconds since 1970-01-01T00:00:00Z, negative before it.
  package var seconds: Int64
  /// The nanoseconds after `seconds`, 0..<1,000,000,000.
  package var nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates a timestamp in the precision that Firestore stores.
  ///
  /// - Parameter microseconds: The microseconds since 1970-01-01T00:00:00Z.
  package init(microseconds: Int64) {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let borrow: Int64 = remainder < 0 ? 1 : 0
    self.init(
      seconds: quotient - borrow,
      nanoseconds: Int32((remainder + borrow * 1_000_000) * 1_000)
    )
  }

  /// The microseconds since 1970, rounded down.
  package var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds / 1_000) }

  /// The time of the system's clock. Code whose tests must control the time takes a clock as an
  /// argument instead.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  package func advanced(by duration: Duration) -> Timestamp {
    let (wholeSeconds, attoseconds) = duration.components
    var result = Timestamp(
      seconds: seconds + wholeSeconds,
      nanoseconds: nanoseconds + Int32(attoseconds / 1_000_000_000)
    )
    if result.nanoseconds >= 1_000_000_000 {
      result.seconds += 1
      result.nanoseconds -= 1_000_000_000
    } else if result.nanoseconds < 0 {
      result.seconds -= 1
      result.nanoseconds += 1_000_000_000
    }
    return result
  }

  /// Returns the time from `earlier` to this timestamp; negative if this timestamp is before
  /// `earlier`.
  package func duration(since earlier: Timestamp) -> Duration {
    .seconds(seconds - earlier.seconds) + .nanoseconds(nanoseconds - earlier.nanoseconds)
  }

  /// A Boolean value that indicates whether the year is 0001 to 9999, as RFC 3339 and Firestore
  /// require.
  package var isInFirestoreRange: Bool {
    seconds >= -62_135_596_800 && seconds <= 253_402_300_799
  }
}

extension Timestamp: Comparable {
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

// MARK: RFC 3339

extension Timestamp: CustomStringConvertible {
  /// The timestamp as RFC 3339 in UTC with 0, 3, 6 or 9 fraction digits, as in protobuf's JSON
  /// format.
  package var description: String {
    let days = seconds.floorDivided(by: 86_400)
    let secondOfDay = seconds - days * 86_400
    let (year, month, day) = Self.civil(fromDays: days)
    var text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
    text += "T" + Self.padded(secondOfDay / 3_600, 2)
    text += ":" + Self.padded(secondOfDay / 60 % 60, 2) + ":" + Self.padded(secondOfDay % 60, 2)
    if nanoseconds != 0 {
      var digits = Self.padded(Int64(nanoseconds), 9)
      while digits.hasSuffix("000") { digits.removeLast(3) }
      text += "." + digits
    }
    return text + "Z"
  }

  /// Creates a timestamp from RFC 3339 with any offset and up to nine fraction digits.
  ///
  /// - Throws: `INVALID_ARGUMENT` for other text. The message doesn't repeat the text.
  package init(_ text: String) throws(StatusError) {
    guard let parsed = Self.parse(Array(text.utf8)), parsed.isInFirestoreRange else {
      throw StatusError(.invalidArgument, "not an RFC 3339 timestamp")
    }
    self = parsed
  }

  private static func parse(_ bytes: [UInt8]) -> Timestamp? {
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      return value
    }
    func separator(_ index: Int, _ allowed: String) -> Bool {
      index < bytes.count && allowed.utf8.contains(bytes[index])
    }
    guard let year = number(0..<4), separator(4, "-"), let month = number(5..<7),
      separator(7, "-"), let day = number(8..<10), separator(10, "Tt "),
      let hour = number(11..<13), separator(13, ":"), let minute = number(14..<16),
      separator(16, ":"), let second = number(17..<19),
      (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year),
      hour < 24, minute < 60, second <= 60
    else { return nil }

    var index = 19
    var nanoseconds: Int64 = 0
    if separator(index, ".") {
      let start = index + 1
      index = start
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
      let digits = index - start
      guard (1...9).contains(digits), let fraction = number(start..<index) else { return nil }
      nanoseconds = (digits..<9).reduce(fraction) { value, _ in value * 10 }
    }

    var offset: Int64 = 0
    if separator(index, "Zz") {
      index += 1
    } else if separator(index, "+-"), separator(index + 3, ":"),
      let hours = number(index + 1..<index + 3), let minutes = number(index + 4..<index + 6),
      hours < 24, minutes < 60
    {
      offset = (hours * 3_600 + minutes * 60) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
      index += 6
    } else {
      return nil
    }
    guard index == bytes.count else { return nil }
    let days = days(fromYear: year, month: month, day: day)
    return Timestamp(
      seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
      nanoseconds: Int32(nanoseconds)
    )
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func daysIn(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Days since 1970 in the proleptic Gregorian calendar. Years are counted from March, so that the
  // leap day comes last and a month's offset is linear.

  private static func days(fromYear year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.floorDivided(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

// MARK: JSON

extension Timestamp: Codable {
  package init(from decoder: any Decoder) throws {
    self = try decoder.decodeText { try Timestamp($0) }
  }

  package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
