import Core
import Synchronization

/// A collector of a process's stderr that assigns each line to an attempt.
///
/// A worker's stderr is one stream for many events. The worker handles one event at a time, and
/// writes its log lines before its result. So a line belongs to the attempt that is in progress
/// when the line is read. For that reason, all lines that have arrived are read before an attempt
/// begins and when it ends.
final class StderrCollector: Sendable {
  /// The maximum size of one attempt's lines in bytes. Further lines are dropped, and their bytes
  /// counted.
  static let maximumBytes = 1 << 20
  /// The maximum length of a line in bytes; a longer line is dropped.
  private static let maximumLineBytes = 256 << 10
  /// The maximum length of the line that `complaint` returns, in bytes.
  private static let maximumComplaintBytes = 1_024
  /// The number of bytes to read before other tasks run; more than a pipe's buffer can have.
  private static let portion = 256 << 10
  private static let maximumPortions = 16

  private struct State {
    /// The current attempt, which may have ended, followed by the one before it.
    var attempts: [LoggedAttempt] = []
    var kept = 0
    var dropped = 0
    /// The attempt's last line that isn't blank and no detail of an error before it, cut to
    /// `maximumComplaintBytes`.
    var lastLine: [UInt8]?
  }

  private let pipe: PipeReader
  private let function: String
  private let logs: any FunctionLog
  private let state: Mutex<State>

  /// - Parameter attempt: The attempt, for a process that handles a single event; `nil` for a
  ///   worker, for which `begin` sets the attempt.
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

  /// Begins an attempt. The lines that are read from now on belong to it.
  func begin(_ attempt: LoggedAttempt) {
    state.withLock { state in
      close(&state)
      if !state.attempts.isEmpty { state.lastLine = nil }
      state.attempts = [attempt] + state.attempts.prefix(1)
    }
  }

  /// Reads the lines that have arrived, and ends the attempt.
  func end() { state.withLock { close(&$0) } }

  /// The last line that the function printed in this attempt, or `nil` if there is none or it is a
  /// JSON object, as a log's lines are. Interpreters print an exception's type and message there.
  var complaint: String? {
    let line = state.withLock(\.lastLine)
    guard let line, line.first(where: { $0 != 0x20 }) != UInt8(ascii: "{") else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads all lines until the end of the stream.
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
    // Limit the number of reads, so that a function that prints endlessly doesn't delay its own
    // result.
    for _ in 0..<Self.maximumPortions {
      guard case .more = read(&state) else { break }
    }
    if state.dropped > 0 {
      logs.append(
        warning: "\(state.dropped) bytes of stderr were dropped: the limit is \(Self.maximumBytes)",
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
          warning: "a line of stderr was dropped: the limit is \(Self.maximumLineBytes) bytes",
          function: function,
          attempt: state.attempts.first
        )
      }
    }
    return .more
  }

  private func keep(_ line: [UInt8], _ state: inout State) {
    if !line.isBlank, state.lastLine == nil || !line.isDetail {
      state.lastLine = Array(line.prefix(Self.maximumComplaintBytes))
    }
    guard state.dropped == 0, state.kept + line.count < Self.maximumBytes else {
      state.dropped += line.count + 1
      return
    }
    state.kept += line.count + 1
    logs.append(line, function: function, attempts: state.attempts)
  }
}
