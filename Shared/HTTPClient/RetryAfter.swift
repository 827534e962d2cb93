import CLibcurl
package import Core

/// The wait a server asks for in its response headers.
package enum RetryAfter {
  /// The longest wait this reads; longer ones become it. It's far beyond any deadline and keeps
  /// the arithmetic on durations from overflowing.
  package static let longest = Duration.seconds(366 * 86_400)

  /// Reads retry-after-ms, else Retry-After (RFC 9110, section 10.2.3).
  ///
  /// Language model services send the former and seconds with a fraction, which the RFC doesn't
  /// know.
  ///
  /// - Returns: nil when there is no such field or it makes no sense; zero for a date in the past.
  package static func duration(in headers: [HTTPHeader], now: Date) -> Duration? {
    if let milliseconds = headers["retry-after-ms"].flatMap(decimal) {
      return bounded(seconds: milliseconds / 1000)
    }
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = decimal(text) { return bounded(seconds: seconds) }
    return seconds(untilDate: text, now: now).map(bounded)
  }

  private static func decimal(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
    return Double(text)
  }

  /// libcurl reads the three forms of HTTP-date (RFC 9110, section 5.6.7). It would also read bare
  /// numbers, so what has no letter is no date here.
  private static func seconds(untilDate text: String, now: Date) -> Double? {
    guard text.contains(where: \.isLetter) else { return nil }
    let time = curl_getdate(text, nil)
    return time == -1 ? nil : Double(time) - now.timeIntervalSince1970
  }

  private static func bounded(seconds: Double) -> Duration {
    guard seconds > 0 else { return .zero }
    return seconds < 366 * 86_400 ? .seconds(seconds) : longest
  }
}
