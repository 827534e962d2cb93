package import Core
import Synchronization

/// The output of a process, read as lines or as a whole.
///
/// Several tasks may read; each line goes to one of them. While no task reads, the kernel buffers
/// up to 64 KiB of output on Linux, and then blocks the writing process.
package final class PipeReader: Sendable {
  /// The result of a read that doesn't wait.
  package enum Available: Sendable {
    case line([UInt8])
    /// Part of a line that is too long was dropped. Call again to go on.
    case more
    /// No complete line yet.
    case nothing
    case end
  }

  private struct State {
    var buffer: PipeBuffer
    var isAbandoned = false
  }

  private let state: Mutex<State>

  /// - Parameter descriptor: The reading end, or `nil` for a stream that isn't a pipe, which is
  ///   empty.
  init(_ descriptor: Descriptor?) {
    descriptor?.setNonBlocking()
    state = Mutex(State(buffer: PipeBuffer(descriptor)))
  }

  /// Returns the next line without its terminator, or `nil` at the end of the stream.
  ///
  /// A last line without a terminator is returned too. The stream ends when every process that has
  /// the pipe open for writing has closed it, which may be after the child's exit.
  /// `ChildProcess.terminateGroup` ends processes that outlived the child.
  ///
  /// - Parameter end: The byte that ends a line.
  /// - Throws: RESOURCE_EXHAUSTED for a line of more than `maximumLength` bytes. The whole line is
  ///   dropped, and the next call returns the line after it. CANCELLED when the task is cancelled
  ///   or the pipe was abandoned.
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

  /// Returns the next line if it is available without waiting.
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

  /// Reads everything up to the end of the stream.
  ///
  /// - Throws: RESOURCE_EXHAUSTED as soon as there are more than `limit` bytes. They are dropped,
  ///   and the process may still run. CANCELLED when the task is cancelled or the pipe was
  ///   abandoned.
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

  /// Removes and returns the bytes that were read but not returned yet, such as after a cancelled
  /// `collect`.
  package func takeAll() -> [UInt8] { state.withLock { $0.buffer.takeAll() } }

  /// A Boolean value that indicates whether bytes were read from the pipe but not returned yet.
  package var hasUntaken: Bool { state.withLock { $0.buffer.count > 0 } }

  /// Returns whether the pipe is open and no bytes are available.
  package func isQuiet() -> Bool {
    state.withLock { state in
      guard state.buffer.count == 0, let step = try? state.buffer.fill(), case .blocked = step
      else { return false }
      return true
    }
  }

  /// Waits until there are bytes to read or the stream ends.
  ///
  /// - Throws: CANCELLED when the task is cancelled or the pipe was abandoned.
  package func readable() async throws(StatusError) {
    let (descriptor, isAbandoned) = state.withLock { ($0.buffer.descriptor, $0.isAbandoned) }
    guard !isAbandoned else {
      throw StatusError(.cancelled, "the process ended, but another process keeps its pipe open")
    }
    guard let descriptor else { return }
    try await Readiness.readable(descriptor) { self.state.withLock(\.isAbandoned) }
  }

  /// Ends all waits: from now on, reads return the bytes that have arrived and then throw
  /// CANCELLED.
  func abandon() {
    let descriptor = state.withLock { state in
      state.isAbandoned = true
      return state.buffer.descriptor
    }
    if let descriptor { Readiness.wake(descriptor) }
  }
}
