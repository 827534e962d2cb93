import Core
package import FirestoreModel
package import FunctionHost
import Synchronization

/// The log of the lines that functions write to stderr, the newest last. The oldest are dropped.
package final class LogStore: FunctionLog {
  /// A line of the log.
  package struct Entry: Sendable, Codable {
    /// The line's number among all lines, from 1 on.
    package internal(set) var number = 0
    package var time: Timestamp
    package var function: String
    /// The id of the event in the line, or else of the event that the process was handling.
    package var eventId: String?
    /// The id of the invocation that wrote the line.
    package var invocationId: String?
    /// The number of the attempt that wrote the line.
    package var attempt: Int?
    package var severity: String
    package var message: String
    /// The line's other fields, by name.
    package var details: [String: String]?
  }

  /// A line of this project's functions, which is JSON. Any other line is plain text.
  private struct Line: Decodable {
    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    /// The fields that aren't details.
    private static let known: Set = ["time", "eventId", "severity", "message", "function"]

    var time: Timestamp?
    var eventId: String?
    var severity: String?
    var message: String
    var details: [String: String] = [:]

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      time = try members.decodeIfPresent(Timestamp.self, forKey: Key(stringValue: "time"))
      eventId = try members.decodeIfPresent(String.self, forKey: Key(stringValue: "eventId"))
      severity = try members.decodeIfPresent(String.self, forKey: Key(stringValue: "severity"))
      message = try members.decode(String.self, forKey: Key(stringValue: "message"))
      for key in members.allKeys
      where !Self.known.contains(key.stringValue) && !key.stringValue.contains("googleapis.com") {
        details[key.stringValue] =
          (try? members.decode(String.self, forKey: key))
          ?? (try? members.decode(Int.self, forKey: key)).map(String.init)
          ?? (try? members.decode(Double.self, forKey: key)).map { "\($0)" }
          ?? (try? members.decode(Bool.self, forKey: key)).map { "\($0)" }
      }
    }
  }

  private struct State {
    var entries: [Entry] = []
    var bytes = 0
    /// The number of lines so far, including dropped ones.
    var count = 0
  }

  private let capacity: Int
  private let byteCapacity: Int
  private let state = Mutex(State())
  private let clock: @Sendable () -> Timestamp
  private let feed: ActivityFeed

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of entries.
  ///   - byteCapacity: The maximum size of all lines, in bytes.
  package init(
    capacity: Int = 10_000,
    byteCapacity: Int = 64 << 20,
    feed: ActivityFeed = ActivityFeed(),
    clock: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    self.capacity = capacity
    self.byteCapacity = byteCapacity
    self.clock = clock
    self.feed = feed
  }

  /// Returns the entries about an event, or all entries if `eventID` is `nil`.
  package func entries(eventID: String? = nil) -> [Entry] {
    let all = state.withLock(\.entries)
    guard let eventID else { return all }
    return all.filter { $0.eventId == eventID }
  }

  /// Returns the entries of all attempts of an invocation.
  package func entries(invocationID: String) -> [Entry] {
    entries().filter { $0.invocationId == invocationID }
  }

  /// Returns the newest entry of an invocation that isn't blank and no detail of an error before it,
  /// or `nil` if there is none.
  ///
  /// - Parameter attempt: The number of the attempt, or `nil` for any.
  package func lastEntry(invocationID: String, attempt: Int?) -> Entry? {
    state.withLock { state in
      state.entries.last {
        $0.invocationId == invocationID && (attempt == nil || $0.attempt == attempt)
          && !$0.message.utf8.isBlank && !$0.message.utf8.isDetail
      }
    }
  }

  /// Adds a line.
  ///
  /// If the line contains an event's id, it belongs to the attempt on this event.
  package func append(_ line: [UInt8], function: String, attempts: [LoggedAttempt]) {
    let parsed = try? JSON.decode(Line.self, from: Data(line), what: "the line")
    let eventID = parsed?.eventId
    let attempt = attempts.first { eventID == nil || $0.eventID == eventID }
    append(
      Entry(
        time: parsed?.time ?? clock(),
        function: function,
        eventId: eventID ?? attempt?.eventID,
        invocationId: attempt?.invocationID,
        attempt: attempt?.number,
        severity: parsed?.severity ?? "DEFAULT",
        message: parsed?.message ?? String(decoding: line, as: UTF8.self),
        details: parsed.flatMap { $0.details.isEmpty ? nil : $0.details }
      ),
      bytes: line.count
    )
  }

  /// Adds a warning of the emulator about a function's stderr.
  package func append(warning: String, function: String, attempt: LoggedAttempt?) {
    append(
      Entry(
        time: clock(),
        function: function,
        eventId: attempt?.eventID,
        invocationId: attempt?.invocationID,
        attempt: attempt?.number,
        severity: "WARNING",
        message: warning
      ),
      bytes: warning.utf8.count
    )
  }

  private func append(_ entry: Entry, bytes: Int) {
    state.withLock { state in
      // Half of the entries are dropped at once, so that the average cost of an entry stays
      // constant.
      if state.entries.count >= capacity || state.bytes > byteCapacity {
        state.entries.removeFirst((state.entries.count + 1) / 2)
        state.bytes = state.entries.reduce(0) { $0 + $1.bytes }
      }
      state.count += 1
      var entry = entry
      entry.number = state.count
      state.entries.append(entry)
      state.bytes += bytes
      // Publishing under the lock keeps the order of the numbers.
      feed.publish(.log(entry))
    }
  }
}

extension LogStore.Entry {
  /// The approximate size in memory, in bytes.
  var bytes: Int {
    (details ?? [:]).reduce(message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
