import Core
import Synchronization

/// What a process says on stderr, each line kept with the attempt it was said in.
///
/// A worker's stderr is one stream for many events. It has one event in flight and flushes before
/// it answers, so a line belongs to the event in flight when it is read; and what is there when
/// the answer has come, or when the next event is about to be given, is read before that.
final class StderrCollector: Sendable {
  /// Of the lines of one attempt; the rest of them is counted and dropped.
  static let maximumBytes = 1 << 20
  /// A longer line is dropped.
  private static let maximumLineBytes = 256 << 10
  /// How much is read in one go: more than a pipe holds, and others get their turn.
  private static let portion = 256 << 10
  private static let maximumPortions = 16

  private struct State {
    /// The attempt under way or the one that ended last, then the one before that.
    var attempts: [LoggedAttempt] = []
    var kept = 0
    var dropped = 0
  }

  private let pipe: PipeReader
  private let function: String
  private let logs: any FunctionLog
  private let state: Mutex<State>

  /// - Parameter attempt: what a process for one event was started for; a worker begins later.
  init(
    _ pipe: PipeReader,
    function: String,
    logs: any FunctionLog,
    attempt: LoggedAttempt? = nil
  ) {
    self.pipe = pipe
    self.function = function
    self.logs = logs
    state = Mutex(State(attempts: attempt.map { [$0] } ?? []))
  }

  /// From here on, lines belong to this attempt.
  func begin(_ attempt: LoggedAttempt) {
    state.withLock { state in
      close(&state)
      state.attempts = [attempt] + state.attempts.prefix(1)
    }
  }

  /// Returns once what is there now is kept.
  func end() { state.withLock { close(&$0) } }

  /// Keeps all lines until the end of the stream.
  func run() async {
    while true {
      switch state.withLock({ read(&$0) }) {
      case .line, .more: await Task.yield()
      case .nothing:
        do throws(StatusError) { try await pipe.readable() } catch { return }
      case .end: return
      }
    }
  }

  private func close(_ state: inout State) {
    // Who goes on for ever doesn't hold up the answer.
    for _ in 0..<Self.maximumPortions {
      guard case .more = read(&state) else { break }
    }
    if state.dropped > 0 {
      logs.append(
        warning: "\(state.dropped) bytes of stderr were dropped: \(Self.maximumBytes) is the limit",
        function: function,
        attempt: state.attempts.first
      )
    }
    state.kept = 0
    state.dropped = 0
  }

  private func read(_ state: inout State) -> PipeReader.Available {
    var count = 0
    while count < Self.portion {
      do throws(StatusError) {
        let available = try pipe.availableLine(maximumLength: Self.maximumLineBytes)
        guard case .line(let line) = available else { return available }
        keep(line, &state)
        count += line.count + 1
      } catch {
        guard error.code == .resourceExhausted else { return .end }
        logs.append(
          warning: "a line of stderr was longer than \(Self.maximumLineBytes) bytes",
          function: function,
          attempt: state.attempts.first
        )
      }
    }
    return .more
  }

  private func keep(_ line: [UInt8], _ state: inout State) {
    guard state.dropped == 0, state.kept + line.count < Self.maximumBytes else {
      state.dropped += line.count + 1
      return
    }
    state.kept += line.count + 1
    logs.append(line, function: function, attempts: state.attempts)
  }
}
