package import HTTPClient

/// The time for which a response may be cached.
package enum CacheLifetime {
  /// The shortest and longest lifetime in seconds. With a shorter one, nearly every call would
  /// fetch the keys. With a longer one, revoked keys would be accepted for too long.
  private static let bounds: ClosedRange<Int64> = 60...86_400

  /// Returns the lifetime of a response: `max-age` of Cache-Control minus the header Age (RFC 9111,
  /// section 4.2).
  ///
  /// The result is at least a minute and at most a day. It is a minute if there is no `max-age` or
  /// the response must not be cached.
  package static func duration(in headers: [HTTPHeader]) -> Duration {
    let directives = (headers["cache-control"] ?? "").lowercased().split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
    }
    guard !directives.contains("no-store"), !directives.contains("no-cache"),
      let maximumAge = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst(8),
      let seconds = number(maximumAge)
    else { return .seconds(bounds.lowerBound) }
    let rest = seconds - (number((headers["age"] ?? "0")[...]) ?? 0)
    return .seconds(min(max(rest, bounds.lowerBound), bounds.upperBound))
  }

  /// Parses a number of seconds. Larger numbers than 2³¹ become 2³¹, as the RFC requires.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return min(Int64(text) ?? 1 << 31, 1 << 31)
  }
}
