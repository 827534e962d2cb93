import CProcess
import Core
import Synchronization

/// The input of a process.
///
/// Several tasks may write; the bytes of one call stay together.
final class PipeWriter: Sendable {
  private struct State {
    /// The writing end, or `nil` once closed.
    var descriptor: Descriptor?
    var isAbandoned = false
  }

  private let state: Mutex<State>
  /// A semaphore that lets one call write at a time.
  private let turn = AsyncSemaphore(limit: 1)

  /// - Parameter descriptor: The writing end, or `nil` for a stream that isn't a pipe, which is
  ///   closed.
  init(_ descriptor: Descriptor?) {
    descriptor?.setNonBlocking()
    state = Mutex(State(descriptor: descriptor))
  }

  /// Writes all bytes. Waits while the pipe is full.
  ///
  /// - Throws: UNAVAILABLE when the reader is closed; FAILED_PRECONDITION when the input was
  ///   closed; CANCELLED when the task is cancelled. A write that fails halfway closes the input.
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

  /// The number of bytes that were written to the pipe but that the process hasn't read; 0 on
  /// systems that don't report it.
  var unreadCount: Int {
    state.withLock { $0.descriptor }.map { Int(cprocess_unread($0.number)) } ?? 0
  }

  /// Closes the input, after a write in progress has finished.
  func closeInput() {
    state.withLock { $0.descriptor = nil }
  }

  /// Ends waits for the reader, so that a write in progress fails.
  func abandon() {
    let descriptor = state.withLock { state in
      state.isAbandoned = true
      return state.descriptor
    }
    if let descriptor { Readiness.wake(descriptor) }
  }
}

/// Writes as many bytes as the pipe takes now, and returns their number; 0 when it is full.
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
    default:
      throw StatusError(.unavailable, "writing to the process failed: \(systemMessage(error))")
    }
  }
}
