import Core
import HTTPClient
import Testing

@Suite struct RetryAfterTests {
  /// The example in RFC 9110: Sun, 06 Nov 1994 08:49:37 GMT.
  private static let example = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    arguments: [
      ("0", .zero), ("120", .seconds(120)), ("1.5", .milliseconds(1500)),
      ("99999999999999999999", RetryAfter.longest), ("", nil), ("-1", nil), ("1e3", nil),
      ("0x10", nil), ("inf", nil), ("nan", nil), ("1.2.3", nil), ("soon", nil), (".", nil),
    ] as [(String, Duration?)]
  )
  func `seconds may have a fraction`(text: String, duration: Duration?) {
    let headers = [HTTPHeader("Retry-After", text)]
    #expect(RetryAfter.duration(in: headers, now: Self.example) == duration)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `a date in each form of HTTP counts from now`(text: String) {
    let headers = [HTTPHeader("retry-after", text)]
    let earlier = Self.example.addingTimeInterval(-90)
    #expect(RetryAfter.duration(in: headers, now: earlier) == .seconds(90))
    let later = Self.example.addingTimeInterval(90)
    #expect(RetryAfter.duration(in: headers, now: later) == .zero)
  }

  @Test(arguments: [
    "Fri, 31 Dec 9999 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
    "yesterday, 99 Foo 2026", "GMT",
  ])
  func `a date however far or odd is a finite wait`(text: String) {
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    let wait = RetryAfter.duration(in: [HTTPHeader("Retry-After", text)], now: now)
    #expect(wait == nil || wait == .zero || wait == RetryAfter.longest)
    #expect((wait == RetryAfter.longest) == text.contains("9999"))
  }

  @Test func `milliseconds win over seconds if they are valid`() {
    let seconds = HTTPHeader("Retry-After", "3")
    let both = [seconds, HTTPHeader("Retry-After-Ms", "250.5")]
    #expect(RetryAfter.duration(in: both, now: Self.example) == .microseconds(250_500))
    let nonsense = [seconds, HTTPHeader("Retry-After-Ms", "soon")]
    #expect(RetryAfter.duration(in: nonsense, now: Self.example) == .seconds(3))
  }

  @Test func `without the field there is no wait`() {
    #expect(HTTPResponse(status: 503).retryAfter == nil)
  }
}
