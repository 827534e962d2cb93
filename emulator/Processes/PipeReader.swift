import Platform
package import RPCStatus
import Synchronization

/// What a process prints, read as lines or as a whole.
///
/// Several tasks may read: each line goes to one of them. A pipe that nobody reads holds what
/// the kernel takes, 64 KiB on Linux, and then stops the process that prints.
package final class PipeReader: Sendable {
  private let buffer: Mutex<PipeBuffer>

  /// - Parameter descriptor: nil for a stream that is not a pipe; it is at its end at once.
  init(_ descriptor: Descriptor?) {
    descriptor?.setNonBlocking()
    buffer = Mutex(PipeBuffer(descriptor))
  }

  /// The next line without its newline, or nil at the end; an unterminated last line counts.
  ///
  /// The end comes when every process that has the other end is gone, which can be later than
  /// the exit of the child: `ChildProcess.terminateGroup` ends those it left behind.
  ///
  /// - Throws: RESOURCE_EXHAUSTED for a line of more than `maximumLength` bytes; the rest of it is
  ///   dropped and the next call goes on with the line after it. CANCELLED when the task is.
  package func nextLine(maximumLength: Int) async throws(StatusError) -> [UInt8]? {
    while true {
      let step = try buffer.withLock { buffer throws(StatusError) in
        try buffer.takeLine(maximumLength: maximumLength)
      }
      switch step {
      case .line(let line): return line
      case .more: await Task.yield()
      case .blocked(let descriptor): try await Readiness.readable(descriptor)
      case .end: return nil
      }
    }
  }

  /// Everything up to the end of the stream.
  ///
  /// - Throws: RESOURCE_EXHAUSTED as soon as there are more than `limit` bytes; the process may
  ///   then still run. CANCELLED when the task is.
  package func collect(limit: Int) async throws(StatusError) -> [UInt8] {
    while true {
      let step = try buffer.withLock { buffer throws(StatusError) in
        let step = try buffer.fill()
        guard buffer.count <= limit else {
          throw StatusError(.resourceExhausted, "the process printed more than \(limit) bytes")
        }
        return step
      }
      switch step {
      case .line, .more: continue
      case .blocked(let descriptor): try await Readiness.readable(descriptor)
      case .end: return takeAll()
      }
    }
  }

  /// What is read and not taken yet, such as after a `collect` that was cancelled.
  package func takeAll() -> [UInt8] { buffer.withLock { $0.takeAll() } }
}
