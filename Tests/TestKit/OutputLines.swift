import Core
import FunctionHost
import Synchronization

/// The lines that a process writes to stdout or stderr, collected while it runs.
final class OutputLines: Sendable {
  private struct State {
    var lines: [String] = []
    var isOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private final class Lines: Sendable {
    let state = Mutex(State())

    func change(_ body: (inout State) -> Void) {
      let waiters = state.withLock { state in
        body(&state)
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private let lines = Lines()
  private let reading: Task<Void, Never>

  init(_ pipe: PipeReader) {
    reading = Task { [lines] in
      while let line = try? await pipe.nextLine(maximumLength: 1 << 20) {
        lines.change { $0.lines.append(String(decoding: line, as: UTF8.self)) }
      }
      lines.change { $0.isOver = true }
    }
  }

  /// Waits until the process has closed the pipe, and returns the whole text.
  func all() async -> String {
    await reading.value
    return text
  }

  var text: String { lines.state.withLock { $0.lines.joined(separator: "\n") } }

  /// Waits for a line that contains the text.
  ///
  /// - Throws: `UNAVAILABLE` if the process ends first.
  func wait(for text: String) async throws(StatusError) {
    while true {
      let (isThere, isOver) = lines.state.withLock { state in
        (state.lines.contains { $0.contains(text) }, state.isOver)
      }
      if isThere { return }
      guard !isOver else {
        throw StatusError(.unavailable, "the process ended: \(self.text)")
      }
      await withCheckedContinuation { continuation in
        let isLate = lines.state.withLock { state in
          let isLate = state.isOver || state.lines.contains { $0.contains(text) }
          if !isLate { state.waiters.append(continuation) }
          return isLate
        }
        if isLate { continuation.resume() }
      }
    }
  }
}
