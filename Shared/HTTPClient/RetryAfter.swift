import CLibcurl
package import Core

/// The delay that a server asks for in its response headers.
package enum RetryAfter {
  /// The maximum delay, to which longer ones are shortened. It is longer than any deadline, and
  /// prevents overflow in arithmetic on durations.
  package static let longest = Duration.seconds(366 * 86_400)

  /// Returns the delay in the header retry-after-ms, or if there is none, in Retry-After (RFC 9110,
  /// section 10.2.3).
  ///
  /// Services for language models send retry-after-ms. They also send Retry-After with fractions of
  /// seconds, which the RFC doesn't allow.
  ///
  /// - Returns: The delay, zero for a date in the past, or `nil` if neither header exists or the
  ///   value is invalid.
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

  /// Returns the seconds until a date. libcurl parses the three formats of HTTP-date (RFC 9110,
  /// section 5.6.7). It also accepts numbers, so text without letters is refused first.
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
