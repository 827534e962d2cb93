import Core
import NIOCore
import Synchronization

/// The queue of the messages that a connection has received and the call's handler hasn't read.
final class RPCInput: Sendable {
  private struct State {
    var payloads: CircularBuffer<Entry> = []
    /// The result with which the messages end, or `nil` while more may arrive.
    var end: Result<Void, StatusError>?
    var reader: CheckedContinuation<Void, Never>?
  }

  /// A message, and the bytes that it takes in the stream's window until it is read.
  struct Entry: Sendable {
    var payload: ByteBuffer
    var windowBytes: Int
  }

  private let state = Mutex(State())
  private let onRead: @Sendable (Int) -> Void

  /// Creates a queue.
  ///
  /// - Parameter onRead: A closure called each time a message is read, with the bytes that it took
  ///   in the stream's window.
  init(onRead: @escaping @Sendable (Int) -> Void) {
    self.onRead = onRead
  }

  func append(_ entry: Entry) {
    wake { $0.payloads.append(entry) }
  }

  /// Ends the messages. If `end` is a success, the messages in the queue can still be read. If it
  /// is a failure, they are dropped.
  func finish(_ end: Result<Void, StatusError>) {
    wake { state in
      guard state.end == nil || end.isFailure else { return }
      state.end = end
      if end.isFailure { state.payloads.removeAll() }
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let reader = state.withLock { state in
      change(&state)
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Returns the next message, or `nil` after the last one. Waits if the queue is empty.
  func next() async throws(StatusError) -> ByteBuffer? {
    while true {
      let entry = try state.withLock { (state) throws(StatusError) -> Entry?? in
        if let entry = state.payloads.popFirst() { return .some(entry) }
        if let end = state.end {
          try end.get()
          return .some(nil)
        }
        return nil
      }
      if let entry {
        guard let entry else { return nil }
        onRead(entry.windowBytes)
        return entry.payload
      }
      if Task.isCancelled { throw StatusError(.cancelled, "the call was cancelled") }
      await wait()
    }
  }

  private func wait() async {
    await waitUnlessCancelled { reader in
      state.withLock { state in
        guard state.payloads.isEmpty, state.end == nil, !Task.isCancelled else { return false }
        state.reader = reader
        return true
      }
    } takeBack: {
      self.state.withLock { $0.reader.take() }
    }
  }
}

extension Result where Success == Void {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
