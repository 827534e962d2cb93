import Core
import NIOCore
import Synchronization

/// The queue of messages from a handler to its connection.
final class RPCOutput: Sendable {
  private struct State {
    var frames: [ByteBuffer] = []
    /// The bytes that were written but not yet taken by the socket.
    var outstanding = 0
    var isCollectionDue = false
    var end: StatusError?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let highWatermark: Int
  private let isGzipped: Bool
  private let onFrames: @Sendable () -> Void

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - highWatermark: The bytes in the queue from which a writer waits.
  ///   - onFrames: A closure called when there are frames to collect, and not again until they are
  ///     collected.
  init(highWatermark: Int, isGzipped: Bool, onFrames: @escaping @Sendable () -> Void) {
    self.highWatermark = highWatermark
    self.isGzipped = isGzipped
    self.onFrames = onFrames
  }

  /// Writes frames, and waits while the queue is full.
  ///
  /// - Parameter frames: Buffers of one frame, or of several one after the other.
  /// - Throws: The error that has ended the call.
  func write(_ frames: [ByteBuffer]) async throws(StatusError) {
    var frames = frames
    if isGzipped {
      for index in frames.indices { frames[index] = try Gzip.deflate(frames: frames[index]) }
    }
    let bytes = frames.reduce(0) { $0 + $1.readableBytes }
    let (isFirst, isFull) = try state.withLock { (state) throws(StatusError) in
      if let end = state.end { throw end }
      state.frames += frames
      state.outstanding += bytes
      defer { state.isCollectionDue = true }
      return (!state.isCollectionDue, state.outstanding > highWatermark)
    }
    if isFirst { onFrames() }
    if isFull { try await waitForRoom() }
  }

  private func waitForRoom() async throws(StatusError) {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasRoom = state.withLock { state in
          if state.outstanding <= highWatermark || state.end != nil || Task.isCancelled {
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if hasRoom { continuation.resume() }
      }
    } onCancel: {
      wake { _ in true }
    }
    if let end = state.withLock(\.end) { throw end }
    if Task.isCancelled { throw StatusError(.cancelled, "the call was cancelled") }
  }

  /// Returns the written frames, and removes them from the queue.
  func collect() -> [ByteBuffer] {
    state.withLock { state in
      state.isCollectionDue = false
      defer { state.frames = [] }
      return state.frames
    }
  }

  /// Records that the socket has taken some bytes.
  func sent(_ bytes: Int) {
    wake { state in
      state.outstanding -= bytes
      return state.outstanding <= highWatermark / 2
    }
  }

  /// Ends the call, and notifies its writers.
  func finish(_ error: StatusError) {
    wake { state in
      if state.end == nil { state.end = error }
      state.frames = []
      return true
    }
  }

  /// Resumes waiting writers after a change.
  ///
  /// - Parameter change: A closure that changes the state, and returns whether the writers may go
  ///   on.
  private func wake(_ change: (inout State) -> Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard change(&state) else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for writer in waiting { writer.resume() }
  }
}
