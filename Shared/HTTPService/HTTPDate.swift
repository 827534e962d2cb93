package import Core
import Synchronization

/// Times in the format of HTTP's `Date` header (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The last date returned. It is kept because most responses have the same date as the one
  /// before.
  private static let latest = Mutex<(seconds: time_t, text: String)>((-1, ""))

  package static var now: String {
    let seconds = time(nil)
    return latest.withLock { latest in
      if latest.seconds != seconds { latest = (seconds, string(seconds)) }
      return latest.text
    }
  }

  package static func string(_ seconds: time_t) -> String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let date = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1_900 + parts.tm_year)"
    return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
