package import Core
import Synchronization

/// What a process prints, read as lines or as a whole.
///
/// Several tasks may read: each line goes to one of them. A pipe that nobody reads holds what
/// the kernel takes, 64 KiB on Linux, and then stops the process that prints.
package final class PipeReader: Sendable {
  /// What is there without waiting.
  package enum Available: Sendable {
    case line([UInt8])
    /// Part of a line that is too long; there may be more.
    case more
    /// Nothing yet.
    case nothing
    case end
  }

  private struct State {
    var buffer: PipeBuffer
    var isAbandoned = false
  }

  private let state: Mutex<State>

  /// - Parameter descriptor: nil for a stream that is not a pipe; it is at its end at once.
  init(_ descriptor: Descriptor?) {
    descriptor?.setNonBlocking()
    state = Mutex(State(buffer: PipeBuffer(descriptor)))
  }

  /// The next line without its end, or nil at the end of all; an unterminated last line counts.
  ///
  /// The end comes when every process that has the other end is gone, which can be later than
  /// the exit of the child: `ChildProcess.terminateGroup` ends those it left behind.
  ///
  /// - Parameter end: the byte that ends a line.
  /// - Throws: RESOURCE_EXHAUSTED for a line of more than `maximumLength` bytes; the rest of it is
  ///   dropped and the next call goes on with the line after it. CANCELLED when the task is, or
  ///   the pipe was abandoned.
  package func nextLine(
    maximumLength: Int,
    end: UInt8 = UInt8(ascii: "\n")
  ) async throws(StatusError) -> [UInt8]? {
    while true {
      switch try availableLine(maximumLength: maximumLength, end: end) {
      case .line(let line): return line
      case .more: await Task.yield()
      case .nothing: try await readable()
      case .end: return nil
      }
    }
  }

  /// The same without waiting.
  package func availableLine(
    maximumLength: Int,
    end: UInt8 = UInt8(ascii: "\n")
  ) throws(StatusError) -> Available {
    let step = try state.withLock { state throws(StatusError) in
      try state.buffer.takeLine(maximumLength: maximumLength, end: end)
    }
    return switch step {
    case .line(let line): .line(line)
    case .more: .more
    case .blocked: .nothing
    case .end: .end
    }
  }

  /// Everything up to the end of the stream.
  ///
  /// - Throws: RESOURCE_EXHAUSTED as soon as there are more than `limit` bytes, which are then
  ///   dropped; the process may still run. CANCELLED when the task is, or the pipe was abandoned.
  package func collect(limit: Int) async throws(StatusError) -> [UInt8] {
    while true {
      let step = try state.withLock { state throws(StatusError) in
        let step = try state.buffer.fill()
        guard state.buffer.count <= limit else {
          _ = state.buffer.takeAll()
          throw StatusError(.resourceExhausted, "the process printed more than \(limit) bytes")
        }
        return step
      }
      switch step {
      case .line, .more: continue
      case .blocked: try await readable()
      case .end: return takeAll()
      }
    }
  }

  /// What is read and not taken yet, such as after a `collect` that was cancelled.
  package func takeAll() -> [UInt8] { state.withLock { $0.buffer.takeAll() } }

  /// Whether something is read and not taken yet.
  package var hasUntaken: Bool { state.withLock { $0.buffer.count > 0 } }

  /// Whether the pipe is open and nothing of it is left to read, as far as one look tells.
  package func isQuiet() -> Bool {
    state.withLock { state in
      guard state.buffer.count == 0, let step = try? state.buffer.fill(), case .blocked = step
      else { return false }
      return true
    }
  }

  /// Returns when there is more to read, or the end.
  ///
  /// - Throws: CANCELLED when the task is, or the pipe was abandoned.
  package func readable() async throws(StatusError) {
    let (descriptor, isAbandoned) = state.withLock { ($0.buffer.descriptor, $0.isAbandoned) }
    guard !isAbandoned else {
      throw StatusError(.cancelled, "the pipe of a process that has ended was left open")
    }
    guard let descriptor else { return }
    try await Readiness.readable(descriptor) { self.state.withLock(\.isAbandoned) }
  }

  /// Waits for nothing more: who reads gets what is there, then CANCELLED.
  func abandon() {
    let descriptor = state.withLock { state in
      state.isAbandoned = true
      return state.buffer.descriptor
    }
    if let descriptor { Readiness.wake(descriptor) }
  }
}
