import CProcess
import Core
import Synchronization

/// What a process reads as its input.
///
/// Several tasks may write: what one call writes stays together.
final class PipeWriter: Sendable {
  private struct State {
    /// nil once closed.
    var descriptor: Descriptor?
    var isAbandoned = false
  }

  private let state: Mutex<State>
  /// Lets one call write at a time.
  private let turn = AsyncSemaphore(limit: 1)

  /// - Parameter descriptor: nil for a stream that is not a pipe; it is closed from the start.
  init(_ descriptor: Descriptor?) {
    descriptor?.setNonBlocking()
    state = Mutex(State(descriptor: descriptor))
  }

  /// Writes all bytes, waiting for the reader as long as it takes.
  ///
  /// - Throws: UNAVAILABLE when the reader is gone, FAILED_PRECONDITION when the input was closed,
  ///   CANCELLED when the task is; a write that stopped half way closes the input.
  func write(_ bytes: [UInt8]) async throws(StatusError) {
    guard await turn.wait() == .acquired else {
      throw StatusError(.cancelled, "waiting for a process was cancelled")
    }
    defer { turn.signal() }
    guard let descriptor = state.withLock({ $0.descriptor }) else {
      throw StatusError(.failedPrecondition, "the input of the process is closed")
    }
    var offset = 0
    do throws(StatusError) {
      while offset < bytes.count {
        switch try writeSome(bytes[offset...], to: descriptor) {
        case 0:
          guard !state.withLock(\.isAbandoned) else {
            throw StatusError(.unavailable, "the process no longer reads its input")
          }
          try await Readiness.writable(descriptor) { self.state.withLock(\.isAbandoned) }
        case let count: offset += count
        }
      }
    } catch {
      if offset > 0 || error.code == .unavailable { closeInput() }
      throw error
    }
  }

  /// How many bytes that were written the process hasn't read; 0 where the system doesn't tell.
  var unreadCount: Int {
    state.withLock { $0.descriptor }.map { Int(cprocess_unread($0.number)) } ?? 0
  }

  /// Ends the input once the write under way is through.
  func closeInput() {
    state.withLock { $0.descriptor = nil }
  }

  /// Waits no longer for a reader: a write under way fails.
  func abandon() {
    let descriptor = state.withLock { state in
      state.isAbandoned = true
      return state.descriptor
    }
    if let descriptor { Readiness.wake(descriptor) }
  }
}

/// How many bytes a pipe took now; 0 when it is full.
private func writeSome(
  _ bytes: ArraySlice<UInt8>,
  to descriptor: Descriptor
) throws(StatusError) -> Int {
  while true {
    let (written, error) = bytes.withUnsafeBytes { raw in
      (write(descriptor.number, raw.baseAddress, raw.count), errno)
    }
    if written >= 0 { return written }
    switch error {
    case EINTR: continue
    case EAGAIN: return 0
    case EPIPE: throw StatusError(.unavailable, "the process no longer reads its input")
    default: throw StatusError(.unavailable, "no write to the process: \(systemMessage(error))")
    }
  }
}
