import Core
import FirestoreModel

/// The hours of a day in which a user's phone stays silent: the profile's `quietHours`, such as
/// `{from: "22:00", to: "07:00", timeZone: "Europe/Rome"}`.
struct QuietHours {
  /// The first minute of the day.
  private let from: Int64
  /// The minute after the last one. It is on the next day if it is before the first one.
  private let to: Int64
  let timeZone: String

  /// Decodes the hours, or returns `nil` if they are invalid or equal.
  init?(_ value: Value) {
    guard let fields = value.mapValue, let from = Self.minute(fields["from"]),
      let to = Self.minute(fields["to"]), from != to,
      let timeZone = fields["timeZone"]?.stringValue
    else { return nil }
    self.from = from
    self.to = to
    self.timeZone = timeZone
  }

  /// Returns the minute of the day of a time such as `07:00`.
  private static func minute(_ value: Value?) -> Int64? {
    guard let bytes = value?.stringValue.map({ Array($0.utf8.prefix(6)) }), bytes.count == 5,
      bytes[2] == UInt8(ascii: ":")
    else { return nil }
    let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int64($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    return hour < 24 && minute < 60 ? hour * 60 + minute : nil
  }

  /// Returns whether a time is within the hours.
  func contains(_ time: Timestamp, in zone: ZoneFile) -> Bool {
    let second = (time.seconds + zone.offset(at: time)) % 86_400
    let minute = second / 60
    return from < to ? (from..<to).contains(minute) : !(to..<from).contains(minute)
  }
}
