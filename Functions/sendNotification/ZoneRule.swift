import FirestoreModel

/// The rule of a time zone for the times after its file's last transition, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX, section 8.3, variable `TZ`, as RFC 9636 extends it.
struct ZoneRule {
  /// A day of the year on which the offset changes, and the local time of the change in seconds.
  private struct Change {
    enum Day {
      /// The week 1 to 5 of a month, of which 5 is the last, and the day from Sunday, 0.
      case weekday(month: Int64, week: Int64, day: Int64)
      /// The day from 1 to 365; February 29 isn't counted.
      case withoutLeapDay(Int64)
      /// The day from 0 to 365.
      case dayOfYear(Int64)
    }
    var day: Day
    var time: Int64
  }

  private let standard: Int64
  private let summer: (offset: Int64, start: Change, end: Change)?

  /// Parses a rule, or returns `nil` if it isn't one.
  init?(_ text: [UInt8]) {
    var reader = Reader(text[...])
    guard reader.skipName(), let offset = reader.time() else { return nil }
    standard = -offset
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard reader.skipName() else { return nil }
    let summerOffset = reader.next(is: ",") ? standard + 3_600 : reader.time().map { -$0 }
    guard let summerOffset, reader.skip(","), let start = Self.change(&reader), reader.skip(","),
      let end = Self.change(&reader), reader.isAtEnd
    else { return nil }
    summer = (summerOffset, start, end)
  }

  private static func change(_ reader: inout Reader) -> Change? {
    let day: Change.Day
    if reader.skip("M") {
      guard let month = reader.number(1...12), reader.skip("."), let week = reader.number(1...5),
        reader.skip("."), let weekday = reader.number(0...6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if reader.skip("J") {
      guard let number = reader.number(1...365) else { return nil }
      day = .withoutLeapDay(number)
    } else {
      guard let number = reader.number(0...365) else { return nil }
      day = .dayOfYear(number)
    }
    guard reader.skip("/") else { return Change(day: day, time: 7_200) }
    return reader.time().map { Change(day: day, time: $0) }
  }

  /// Returns the offset from UTC in seconds.
  func offset(at time: Timestamp) -> Int64 {
    guard let summer else { return standard }
    let local = Timestamp(seconds: time.seconds + standard)
    guard let year = Int64(local.description.prefix(4)),
      let first = Self.seconds(of: summer.start, in: year),
      let last = Self.seconds(of: summer.end, in: year)
    else { return standard }
    let (start, end) = (first - standard, last - summer.offset)
    // In the south, summer begins late in the year.
    let isSummer =
      start < end ? (start..<end).contains(time.seconds) : !(end..<start).contains(time.seconds)
    return isSummer ? summer.offset : standard
  }

  /// Returns the local time of a change in seconds since 1970.
  private static func seconds(of change: Change, in year: Int64) -> Int64? {
    guard let start = days(year, 1), let next = days(year + 1, 1) else { return nil }
    let day: Int64
    switch change.day {
    case .dayOfYear(let number): day = start + number
    case .withoutLeapDay(let number):
      day = start + number - (next - start == 366 && number > 59 ? 0 : 1)
    case .weekday(let month, let week, let weekday):
      guard let first = days(year, month),
        let after = month == 12 ? next : days(year, month + 1)
      else { return nil }
      // January 1, 1970 was a Thursday.
      let firstWeekday = (first + 4) % 7
      let date = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      day = date < after ? date : date - 7
    }
    return day * 86_400 + change.time
  }

  /// Returns the number of days from 1970 to the first day of a month.
  private static func days(_ year: Int64, _ month: Int64) -> Int64? {
    let text = "\(year)-\(month < 10 ? "0" : "")\(month)-01T00:00:00Z"
    return (try? Timestamp(text)).map { $0.seconds / 86_400 }
  }
}

/// A reader of a rule's text.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  var isAtEnd: Bool { rest.isEmpty }

  func next(is character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next(is: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips a name of letters, or of any characters in angle brackets.
  mutating func skipName() -> Bool {
    if skip("<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return skip(">")
    }
    let count = rest.count
    rest = rest.drop { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
    return rest.count < count
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let number = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    return range.contains(number) ? number : nil
  }

  /// Reads hours, minutes and seconds with an optional sign, as a number of seconds.
  mutating func time() -> Int64? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(0...167) else { return nil }
    var seconds = hours * 3_600
    for unit: Int64 in [60, 1] where skip(":") {
      guard let number = number(0...59) else { return nil }
      seconds += number * unit
    }
    return isNegative ? -seconds : seconds
  }
}
