package import Core
import Delivery
package import FirestoreModel
package import FunctionHost
import FunctionRuntime
import Synchronization

/// The recorder of invocations: their reads, exchanges with providers and results. It has no cost
/// while no client wants recordings.
///
/// The trace context that a function sends with every request identifies its invocation.
package final class InvocationRecorder: Sendable {
  /// A recording client, with the recordings that it hasn't fetched yet.
  private struct Session {
    var lines: [JSONValue] = []
    var lastFetch: Timestamp
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var invocations: [String: InvocationRecording] = [:]
    /// The newest recordings, or `nil` if none are kept.
    var kept: KeptRecordings?
  }

  /// The time after which a session without a fetch ends.
  private static let sessionTimeout = Duration.seconds(60)

  /// The maximum number of recordings in a response.
  private static let batchSize = 10

  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> String
  private let isOpen = Atomic(false)
  private let maximumKeptBytes: Int
  private let state = Mutex(State())

  /// Creates a recorder.
  ///
  /// - Parameter maximumKeptBytes: the maximum total size of the kept recordings, in bytes.
  package init(
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable () -> String,
    maximumKeptBytes: Int = 32 << 20
  ) {
    self.now = now
    self.newID = newID
    self.maximumKeptBytes = maximumKeptBytes
  }

  // MARK: Sessions

  /// Opens a session, which records the invocations that begin from now on.
  ///
  /// - Returns: the session's ID.
  func open() -> String {
    let id = newID()
    state.withLock { $0.sessions[id] = Session(lastFetch: now()) }
    isOpen.store(true, ordering: .releasing)
    return id
  }

  /// Returns the next recordings of ended invocations: fixtures, or `{"function","reason"}` for an
  /// invocation that can't be recorded. Returns `nil` if the session doesn't exist.
  func fetch(_ id: String) -> [JSONValue]? {
    state.withLock { state in
      guard var session = state.sessions[id] else { return nil }
      let lines = Array(session.lines.prefix(Self.batchSize))
      session.lines.removeFirst(lines.count)
      session.lastFetch = now()
      state.sessions[id] = session
      return lines
    }
  }

  func close(_ id: String) {
    state.withLock { state in
      state.sessions[id] = nil
      closeIfUnused(&state)
    }
  }

  private func closeIfUnused(_ state: inout State) {
    guard state.sessions.isEmpty, state.kept == nil else { return }
    state.invocations = [:]
    isOpen.store(false, ordering: .releasing)
  }

  /// A Boolean value that indicates whether the newest recordings are kept from now on.
  package var keepsNewest: Bool {
    get { state.withLock { $0.kept != nil } }
    set {
      state.withLock { state in
        guard newValue else {
          state.kept = nil
          return closeIfUnused(&state)
        }
        if state.kept == nil { state.kept = KeptRecordings(maximumBytes: maximumKeptBytes) }
        isOpen.store(true, ordering: .releasing)
      }
    }
  }

  /// Returns the kept recording of the newest attempt of a delivery or call.
  ///
  /// - Throws: `FAILED_PRECONDITION` if recordings aren't kept, or the invocation can't be
  ///   recorded; `NOT_FOUND` if there is no recording of it.
  package func kept(_ invocation: String) throws(StatusError) -> ReplayFixture {
    guard let kept = state.withLock(\.kept) else {
      throw StatusError(
        .failedPrecondition,
        "recording is off: switch it on with PUT /api/recording {\"on\":true}, then run the "
          + "function again"
      )
    }
    guard let line = kept.newest(of: invocation) else {
      throw StatusError(
        .notFound,
        "invocation \(quoted(invocation)) was not recorded, or is not among the newest "
          + "\(KeptRecordings.maximumCount)"
      )
    }
    if let reason = line["reason"]?.string { throw StatusError(.failedPrecondition, reason) }
    return try ReplayFixture(line)
  }

  var isRecording: Bool { isOpen.load(ordering: .acquiring) }

  // MARK: Invocations

  /// Returns a target that invokes the function through the given target and records each
  /// invocation.
  package func observe(
    _ function: InstalledFunction,
    _ target: any FunctionTarget
  ) -> any FunctionTarget {
    RecordedTarget(function: function, target: target, recorder: self)
  }

  func begin(_ function: InstalledFunction, _ request: InvocationRequest) {
    guard isRecording, let traceparent = request.invocation.traceparent else { return }
    let recording = InvocationRecording(function, request, at: now())
    state.withLock { $0.invocations[traceparent] = recording }
  }

  func end(_ request: InvocationRequest, _ result: InvocationResult) {
    guard isRecording, let traceparent = request.invocation.traceparent else { return }
    guard let recording = state.withLock({ $0.invocations.removeValue(forKey: traceparent) }) else {
      return
    }
    let line: JSONValue
    do throws(StatusError) {
      line = try recording.fixture(result).json
    } catch {
      line = .object([
        "function": .string(recording.description), "reason": .string(error.message),
      ])
    }
    let time = now()
    state.withLock { state in
      state.sessions = state.sessions.filter {
        time.duration(since: $1.lastFetch) < Self.sessionTimeout
      }
      for id in state.sessions.keys { state.sessions[id]?.lines.append(line) }
      state.kept?.append(line, of: request.invocation.id ?? "")
      closeIfUnused(&state)
    }
  }

  // MARK: Reads and exchanges

  /// Changes the recording of an invocation, if the invocation is recorded.
  func change(_ traceparent: String?, _ change: (inout InvocationRecording) -> Void) {
    guard isRecording, let traceparent else { return }
    state.withLock { state in
      guard var recording = state.invocations[traceparent] else { return }
      change(&recording)
      state.invocations[traceparent] = recording
    }
  }

  /// Returns a Boolean value that indicates whether requests with this trace context are recorded.
  func isRecorded(_ traceparent: String) -> Bool {
    isRecording && state.withLock { $0.invocations[traceparent] != nil }
  }
}
