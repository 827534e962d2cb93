import Core
import NIOCore
import Synchronization

/// The queue of the messages that a call's handler has written and the connection hasn't sent.
final class RPCOutput: Sendable {
  private struct State {
    var frames: [ByteBuffer] = []
    /// The number of bytes that were written to the queue but not yet to the socket.
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
  ///   - highWatermark: The number of unsent bytes above which writers wait.
  ///   - onFrames: A closure called when there are frames to collect. It isn't called again before
  ///     they are collected.
  init(highWatermark: Int, isGzipped: Bool, onFrames: @escaping @Sendable () -> Void) {
    self.highWatermark = highWatermark
    self.isGzipped = isGzipped
    self.onFrames = onFrames
  }

  /// Writes frames, and waits while the queue is full.
  ///
  /// - Parameter frames: Buffers that contain one or more frames each.
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

  /// Returns the frames in the queue, and removes them.
  func collect() -> [ByteBuffer] {
    state.withLock { state in
      state.isCollectionDue = false
      defer { state.frames = [] }
      return state.frames
    }
  }

  /// Records that bytes were written to the socket.
  func sent(_ bytes: Int) {
    wake { state in
      state.outstanding -= bytes
      return state.outstanding <= highWatermark / 2
    }
  }

  /// Drops the frames in the queue, and makes current and later writes throw an error.
  func finish(_ error: StatusError) {
    wake { state in
      if state.end == nil { state.end = error }
      state.frames = []
      return true
    }
  }

  /// Resumes waiting writers after a change.
  ///
  /// - Parameter change: A closure that changes the state, and returns whether to resume the
  ///   writers.
  private func wake(_ change: (inout State) -> Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard change(&state) else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for writer in waiting { writer.resume() }
  }
}
