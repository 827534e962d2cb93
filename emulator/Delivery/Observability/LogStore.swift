import Core
package import FirestoreModel
package import FunctionHost
import Synchronization

/// What functions said on stderr, the newest last and the oldest dropped.
package final class LogStore: FunctionLog {
  package struct Entry: Sendable, Codable {
    /// Its place among all that was said, from 1 on.
    package internal(set) var number = 0
    package var time: Timestamp
    package var function: String
    /// The event the line is about, if it says so or its process had only one.
    package var eventId: String?
    /// The invocation it was said in, and which attempt of it.
    package var invocationId: String?
    package var attempt: Int?
    package var severity: String
    package var message: String
    /// What else the line says, by the members' names.
    package var details: [String: String]?
  }

  /// The structured form our functions write; anything else is a plain line.
  private struct Line: Decodable {
    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    /// Known by other means, or told by an entry's own members.
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
    /// How many there were, kept or not.
    var count = 0
  }

  private let capacity: Int
  private let byteCapacity: Int
  private let state = Mutex(State())
  private let clock: @Sendable () -> Timestamp
  private let feed: ActivityFeed

  /// - Parameters:
  ///   - capacity: how many entries are kept at most.
  ///   - byteCapacity: how many bytes of lines.
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

  /// The entries about an event, or all of them.
  package func entries(eventID: String? = nil) -> [Entry] {
    let all = state.withLock(\.entries)
    guard let eventID else { return all }
    return all.filter { $0.eventId == eventID }
  }

  /// What was said in an invocation, in all its attempts.
  package func entries(invocationID: String) -> [Entry] {
    entries().filter { $0.invocationId == invocationID }
  }

  /// Keeps a line.
  ///
  /// A line that names its event belongs to the attempt that has this event.
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

  /// Keeps what we have to say about a function's stderr.
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
      // Dropped by halves, so that an entry costs the same however many there are.
      if state.entries.count >= capacity || state.bytes > byteCapacity {
        state.entries.removeFirst((state.entries.count + 1) / 2)
        state.bytes = state.entries.reduce(0) { $0 + $1.bytes }
      }
      state.count += 1
      var entry = entry
      entry.number = state.count
      state.entries.append(entry)
      state.bytes += bytes
      // In the order of their numbers.
      feed.publish(.log(entry))
    }
  }
}

extension LogStore.Entry {
  /// About how much it takes to remember it.
  var bytes: Int {
    (details ?? [:]).reduce(message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
