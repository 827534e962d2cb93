package import FirestoreModel
import JSONCoding
import Platform
import Processes
import RPCStatus
import Synchronization

/// What functions said on stderr, the newest last and the oldest dropped.
package final class LogStore: Sendable {
  package struct Entry: Sendable, Codable {
    package var time: Timestamp
    package var function: String
    /// The event the line is about, if it says so or its process had only one.
    package var eventId: String?
    package var severity: String
    package var message: String
  }

  /// The structured form our functions write; anything else is a plain line.
  private struct Line: Decodable {
    var time: Timestamp?
    var eventId: String?
    var severity: String?
    var message: String
  }

  private let capacity: Int
  private let entries = Mutex<[Entry]>([])
  private let clock: @Sendable () -> Timestamp

  package init(capacity: Int = 10_000, clock: @escaping @Sendable () -> Timestamp = { .now }) {
    self.capacity = capacity
    self.clock = clock
  }

  /// The entries about an event, or all of them.
  package func entries(eventID: String? = nil) -> [Entry] {
    let all = entries.withLock(\.self)
    guard let eventID else { return all }
    return all.filter { $0.eventId == eventID }
  }

  func append(_ line: [UInt8], function: String, eventID: String?) {
    let entry: Entry
    if let parsed = try? JSON.decode(Line.self, from: Data(line), what: "the line") {
      entry = Entry(
        time: parsed.time ?? clock(),
        function: function,
        eventId: parsed.eventId ?? eventID,
        severity: parsed.severity ?? "DEFAULT",
        message: parsed.message
      )
    } else {
      entry = Entry(
        time: clock(),
        function: function,
        eventId: eventID,
        severity: "DEFAULT",
        message: String(decoding: line, as: UTF8.self)
      )
    }
    entries.withLock { entries in
      // Dropped by halves, so that an entry costs the same however many there are.
      if entries.count >= capacity { entries.removeFirst(capacity / 2) }
      entries.append(entry)
    }
  }

  /// Keeps all lines of a pipe until its end.
  func drain(_ pipe: PipeReader, function: String, eventID: String?) async {
    while true {
      do throws(StatusError) {
        let line = try await pipe.nextLine(
          maximumLength: FunctionProcess.maximumLogLineBytes
        )
        guard let line else { return }
        append(line, function: function, eventID: eventID)
      } catch {
        guard error.code == .resourceExhausted else { return }
        append(Array("a line of stderr was too long".utf8), function: function, eventID: eventID)
      }
    }
  }
}
