import Core
import DequeModule

/// The newest recordings, limited in number and total size. The last one is kept regardless of its
/// size.
struct KeptRecordings {
  /// The recording of an invocation: a fixture, or `{"function","reason"}`.
  private struct Recording {
    var invocation: String
    var json: Data
  }

  static let maximumCount = 200

  private let maximumBytes: Int
  private var recordings: Deque<Recording> = []
  private var bytes = 0

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  mutating func append(_ recording: JSONValue, of invocation: String) {
    guard let json = try? JSON.encode(recording) else { return }
    recordings.append(Recording(invocation: invocation, json: json))
    bytes += json.count
    while recordings.count > 1,
      recordings.count > Self.maximumCount || bytes > maximumBytes
    {
      bytes -= recordings.removeFirst().json.count
    }
  }

  /// Returns the recording of an invocation's newest attempt, or `nil` if there is none.
  func newest(of invocation: String) -> JSONValue? {
    recordings.last { $0.invocation == invocation }
      .flatMap { try? JSONValue(parsing: $0.json) }
  }
}
