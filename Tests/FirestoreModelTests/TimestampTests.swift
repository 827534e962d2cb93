import Core
import FirestoreModel
import TestKit
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("1970-01-01T00:00:01.5Z", 1, 500_000_000),
      ("1969-12-31T23:59:59.999999999Z", -1, 999_999_999),
      ("2000-02-29T12:00:00Z", 951_825_600, 0),
      ("2024-02-29T23:59:59Z", 1_709_251_199, 0),
      ("2100-03-01T00:00:00Z", 4_107_542_400, 0),
      ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
      ("2026-11-21T10:30:00+02:00", 1_795_249_800, 0),
      ("2026-11-21T03:00:00-05:30", 1_795_249_800, 0),
      ("2026-11-21t08:30:00z", 1_795_249_800, 0),
      ("2026-11-21T08:30:00.1Z", 1_795_249_800, 100_000_000),
      ("2026-11-21T08:30:00.123456789Z", 1_795_249_800, 123_456_789),
    ] as [(String, Int64, Int32)]
  )
  func `RFC 3339 is read with any offset and fraction`(
    text: String,
    seconds: Int64,
    nanoseconds: Int32
  ) throws {
    #expect(try Timestamp(text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    arguments: [
      "", "2026", "2026-11-21", "2026-11-21T08:30:00", "2026-11-21T08:30Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:61Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+0200",
      "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+02:60", "2026-01-01T00:00:00Z ",
      " 2026-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01", "२०२६-01-01T00:00:00Z",
    ] as [String]
  )
  func `an invalid time is refused without repeating it`(text: String) {
    let error = statusError { try Timestamp(text) }
    #expect(error == StatusError(.invalidArgument, "not an RFC 3339 timestamp"))
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"),
      (1, 500_000_000, "1970-01-01T00:00:01.500Z"),
      (1, 1_000, "1970-01-01T00:00:01.000001Z"),
      (1, 1, "1970-01-01T00:00:01.000000001Z"),
      (-1, 999_999_000, "1969-12-31T23:59:59.999999Z"),
      (951_825_600, 0, "2000-02-29T12:00:00Z"),
      (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
      (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
    ] as [(Int64, Int32, String)]
  )
  func `a time is written in UTC with 0, 3, 6 or 9 fraction digits`(
    seconds: Int64,
    nanoseconds: Int32,
    text: String
  ) {
    #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds).description == text)
  }

  @Test func `every day from year 1 to 9999 is written and read back as itself`() throws {
    for seconds in stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 86_400 * 53) {
      let time = Timestamp(seconds: seconds + 12_345)
      #expect(try Timestamp(time.description) == time)
    }
  }

  @Test(
    arguments: [0, 1, -1, 999_999, -999_999, 1_000_000, -1_000_000, 1_795_248_258_298_821]
      as [Int64]
  )
  func `microseconds are converted to a time and back`(microseconds: Int64) {
    let time = Timestamp(microseconds: microseconds)
    #expect(time.microseconds == microseconds)
    #expect((0..<1_000_000_000).contains(time.nanoseconds))
  }

  @Test(
    arguments: [
      (Duration.seconds(1), 11, 500_000_000), (.milliseconds(600), 11, 100_000_000),
      (.milliseconds(-600), 9, 900_000_000), (.seconds(-20), -10, 500_000_000),
    ] as [(Duration, Int64, Int32)]
  )
  func `an added duration can be measured again`(
    duration: Duration,
    seconds: Int64,
    nanoseconds: Int32
  ) {
    let start = Timestamp(seconds: 10, nanoseconds: 500_000_000)
    let end = start.advanced(by: duration)
    #expect(end == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(end.duration(since: start) == duration)
  }
}
