package import HTTPClient

/// How long what a server answered may be kept.
package enum CacheLifetime {
  /// Whatever the server says: fewer would ask it with every call, and more would keep keys that
  /// were withdrawn long ago.
  private static let bounds: ClosedRange<Int64> = 60...86_400

  /// By Cache-Control's `max-age`, less the Age that a cache on the way says (RFC 9111, section
  /// 4.2); a minute where it says nothing, or that it isn't to be kept; a day at most.
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

  /// A number of seconds; more than the RFC's 2³¹ is that.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return min(Int64(text) ?? 1 << 31, 1 << 31)
  }
}
