import Core
import FirestoreModel
import Rules
import Testing

struct TimeTests {
  private static let timestampRange =
    "Timestamp is not valid. Seconds must be in range [-62,135,596,800, +253,402,300,799]. "
    + "Nanos must be in range [0, +999,999,999]."
  private static let durationRange =
    "Duration is not valid. Seconds must be in range [-315,576,000,000, +315,576,000,000]. "
    + "Nanos must be in range [-999,999,999, +999,999,999]. "
    + "Nanos must have the same sign as seconds."

  @Test(arguments: [
    "resource.data.t.year() == 2024 && resource.data.t.month() == 2 && resource.data.t.day() == 29",
    "resource.data.t.hours() == 23 && resource.data.t.minutes() == 59",
    "resource.data.t.seconds() == 58 && resource.data.t.nanos() == 123456789",
    // Monday is 1.
    "resource.data.t.dayOfWeek() == 4 && resource.data.t.dayOfYear() == 60",
    "resource.data.t.date() == timestamp.date(2024, 2, 29)",
    "resource.data.t.time() == duration.time(23, 59, 58, 123456789)",
    "resource.data.t.toMillis() == 1709251198123",
    "timestamp.date(2023, 1, 1).dayOfWeek() == 7 && timestamp.date(1, 1, 1).dayOfWeek() == 1",
    "timestamp.date(1900, 12, 31).dayOfYear() == 365 && timestamp.date(2000, 12, 31).dayOfYear() == 366",
    "timestamp.value(-1).year() == 1969 && timestamp.value(-1).nanos() == 999000000",
    "timestamp.value(-1).toMillis() == -1 && timestamp.value(-1500).seconds() == 58",
    "timestamp.value('2024-02-29T12:00:00.5+01:00') == timestamp.value(1709204400500)",
    "timestamp.date(9999, 12, 31) + duration.value(86399, 's') is timestamp",
    "timestamp.value(0) - duration.value(1, 'ns') < timestamp.value(0)",
    "timestamp.value(1500) - timestamp.value(2000) == duration.value(-500, 'ms')",
    "duration.value(2, 's') + timestamp.value(0) == timestamp.value(2000)",
    "duration.value(1, 'w').seconds() == 604800 && duration.value(1, 'd').seconds() == 86400",
    "duration.value(1, 'h') == duration.value(60, 'm') && duration.value(1, 'm').seconds() == 60",
    "duration.value(-1500, 'ms').seconds() == -1 && duration.value(-1500, 'ms').nanos() == -500000000",
    "duration.value(1, 's') - duration.value(1, 'ns') == duration.value(999999999, 'ns')",
    "duration.abs(duration.value(-1, 'ns')) == duration.value(1, 'ns')",
    "-duration.value(1, 's') == duration.value(-1, 's')",
    "duration.time(1, -2, 3, -4) == duration.value(3482999999996, 'ns')",
    "duration.value(-1500, 'ms') < duration.value(-1, 's')",
  ])
  func `timestamps and durations have parts`(condition: String) throws {
    let fields: Fields = ["t": .timestamp(try Timestamp("2024-02-29T23:59:58.123456789Z"))]
    #expect(try Outcome.of(condition, fields) == .allowed)
  }

  @Test(arguments: [
    ("timestamp.date(2023, 2, 29).day() == 1", "Date is not valid. year: 2023, month: 2 day: 29."),
    ("timestamp.date(2023, 0, 1).day() == 1", "Date is not valid. year: 2023, month: 0 day: 1."),
    (
      "timestamp.date(10000, 1, 1).day() == 1",
      "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. year: 10000."
    ),
    ("timestamp.value(253402300800000).day() == 1", timestampRange),
    ("timestamp.value(9223372036854775807).day() == 1", timestampRange),
    ("timestamp.value('2024-02-30T00:00:00Z').day() == 1", timestampRange),
    ("timestamp.value('2024-02-29t00:00:00z').day() == 1", timestampRange),
    ("timestamp.date(9999, 12, 31) + duration.value(1, 'd') == null", timestampRange),
    ("timestamp.date(1, 1, 1) - duration.value(1, 'ns') == null", timestampRange),
    ("duration.time(9223372036854775807, 0, 0, 0) == null", timestampRange),
    ("duration.value(9223372036854775807, 'w') == null", durationRange),
    ("duration.value(315576000001, 's') == null", durationRange),
    ("duration.value(315576000000, 's') + duration.value(1, 's') == null", durationRange),
    ("duration.value(1, 'us') == null", "Invalid regular expression pattern. Pattern: us."),
    ("duration.value(1, 's').minutes() == 0", "Function not found error: Name: [minutes]."),
    (
      "duration.value(1.5, 's') == null",
      "Unsupported operation error. Received: duration.value(float, string). "
        + "Expected: duration.value(int, string)."
    ),
  ])
  func `times out of range are errors`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
