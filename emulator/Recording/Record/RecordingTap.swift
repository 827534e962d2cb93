import DequeModule
package import FirestoreModel
import FunctionRuntime
import HTTPService
import JSONCoding
import Platform
package import RPCStatus
package import Store
import Synchronization
import Triggers
package import Workers

/// Listens to what invocations read, ask and answer while somebody records, and costs nothing else
/// while nobody does.
///
/// An invocation is known by the trace context that its function sends with every request.
package final class RecordingTap: Sendable {
  /// Who records, and what they have not fetched yet.
  private struct Session {
    var lines: [JSONValue] = []
    var lastFetch: Timestamp
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var invocations: [String: InvocationRecording] = [:]
    /// The newest, the oldest of them first; nil if nobody wants them kept.
    var kept: Deque<Recorded>?
    var keptBytes = 0
    /// How large they may be together; the newest is kept, however large.
    let maximumKeptBytes: Int

    mutating func keep(_ invocation: String, _ line: JSONValue) {
      guard kept != nil, let json = try? JSON.encode(line) else { return }
      kept?.append(Recorded(invocation: invocation, json: json))
      keptBytes += json.count
      while let count = kept?.count, count > 1,
        count > RecordingTap.maximumKept || keptBytes > maximumKeptBytes
      { keptBytes -= kept?.removeFirst().json.count ?? 0 }
    }

    mutating func keepNothing() {
      kept = nil
      keptBytes = 0
    }
  }

  /// What an invocation left: a fixture, or `{"function","reason"}`.
  private struct Recorded {
    var invocation: String
    var json: Data
  }

  /// How many are kept without being fetched.
  private static let maximumKept = 200

  /// Who fetches nothing for so long is gone.
  private static let patience = Duration.seconds(60)

  /// How many are fetched at once.
  private static let portion = 10

  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> String
  private let isOpen = Atomic(false)
  private let state: Mutex<State>

  /// - Parameter maximumKeptBytes: how much of the newest is kept, without being fetched.
  package init(
    now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable () -> String,
    maximumKeptBytes: Int = 32 << 20
  ) {
    self.now = now
    self.newID = newID
    state = Mutex(State(maximumKeptBytes: maximumKeptBytes))
  }

  // MARK: Sessions

  /// Begins to record what begins from now on.
  ///
  /// - Returns: the session's id.
  func open() -> String {
    let id = newID()
    state.withLock { $0.sessions[id] = Session(lastFetch: now()) }
    isOpen.store(true, ordering: .releasing)
    return id
  }

  /// Some of what has ended since the last time: fixtures, or `{"function","reason"}` of what can't be one.
  ///
  /// - Returns: nil if there is no such session any more.
  func fetch(_ id: String) -> [JSONValue]? {
    state.withLock { state in
      guard var session = state.sessions[id] else { return nil }
      let lines = Array(session.lines.prefix(Self.portion))
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

  /// Whether the newest recordings are kept, of what begins from now on.
  package var keepsNewest: Bool {
    get { state.withLock { $0.kept != nil } }
    set {
      state.withLock { state in
        guard newValue else {
          state.keepNothing()
          return closeIfUnused(&state)
        }
        if state.kept == nil { state.kept = [] }
        isOpen.store(true, ordering: .releasing)
      }
    }
  }

  /// The recording that is kept of a delivery's or call's newest attempt.
  ///
  /// - Throws: `FAILED_PRECONDITION` if none is kept, or the invocation can't be recorded; `NOT_FOUND`.
  package func kept(_ invocation: String) throws(StatusError) -> ReplayFixture {
    let kept = state.withLock { state in
      state.kept.map { $0.last { $0.invocation == invocation } }
    }
    guard let kept else {
      throw StatusError(
        .failedPrecondition,
        "nothing is recorded; switch it on with PUT /api/recording {\"on\":true}, then run it again"
      )
    }
    guard let json = kept?.json, let line = try? JSONValue(parsing: json) else {
      throw StatusError(
        .notFound,
        "\(quoted(invocation)) was not recorded, or not among the newest \(Self.maximumKept)"
      )
    }
    if let reason = line["reason"]?.string { throw StatusError(.failedPrecondition, reason) }
    return try ReplayFixture(line)
  }

  var isRecording: Bool { isOpen.load(ordering: .acquiring) }

  // MARK: Invocations

  /// Puts the tap in front of a function.
  package func observe(
    _ function: InstalledFunction,
    _ target: any FunctionTarget
  ) -> any FunctionTarget {
    ObservedTarget(function: function, target: target, tap: self)
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
      state.sessions = state.sessions.filter { time.duration(since: $1.lastFetch) < Self.patience }
      for id in state.sessions.keys { state.sessions[id]?.lines.append(line) }
      state.keep(request.invocation.id ?? "", line)
      closeIfUnused(&state)
    }
  }

  // MARK: What they meet

  /// Called with every commit: what a function changes without having read it must be there, too.
  package func observe(_ commit: Commit) {
    change(commit.cause.traceparent) { $0.commit(commit) }
  }

  /// Changes what is known of an invocation, if it is one that is recorded.
  func change(_ traceparent: String?, _ change: (inout InvocationRecording) -> Void) {
    guard isRecording, let traceparent else { return }
    state.withLock { state in
      guard var recording = state.invocations[traceparent] else { return }
      change(&recording)
      state.invocations[traceparent] = recording
    }
  }

  /// Whether requests with this trace context are recorded.
  func isRecorded(_ traceparent: String) -> Bool {
    isRecording && state.withLock { $0.invocations[traceparent] != nil }
  }
}

/// A function's target that tells what it is given and what it answers.
private struct ObservedTarget: FunctionTarget {
  let function: InstalledFunction
  let target: any FunctionTarget
  let tap: RecordingTap

  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    guard tap.isRecording else { return await target.invoke(eventID: eventID, request: request) }
    let made = Mutex<InvocationRequest?>(nil)
    let result = await target.invoke(eventID: eventID) { timeout in
      guard var request = request(timeout) else { return nil }
      // A fixture has all that an invocation rests on, also what a worker knows from another.
      request.invocation.fresh = true
      tap.begin(function, request)
      made.withLock { $0 = request }
      return request
    }
    if let request = made.withLock(\.self) { tap.end(request, result) }
    return result
  }

  func close() async { await target.close() }
}
