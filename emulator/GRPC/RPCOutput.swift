import Core
import NIOCore
import Synchronization

/// Messages on their way from a handler to its connection.
final class RPCOutput: Sendable {
  private struct State {
    var frames: [ByteBuffer] = []
    /// Bytes written that the socket hasn't taken yet.
    var outstanding = 0
    var isCollectionDue = false
    var end: StatusError?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let highWatermark: Int
  private let isGzipped: Bool
  private let onFrames: @Sendable () -> Void

  /// - Parameters:
  ///   - highWatermark: bytes on their way from which on a writer waits.
  ///   - onFrames: called when there is something to take, until it is taken.
  init(highWatermark: Int, isGzipped: Bool, onFrames: @escaping @Sendable () -> Void) {
    self.highWatermark = highWatermark
    self.isGzipped = isGzipped
    self.onFrames = onFrames
  }

  /// - Parameter frames: one frame each, or several one after the other.
  /// - Throws: what ended the call, if it has ended.
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

  /// The connection takes what there is.
  func collect() -> [ByteBuffer] {
    state.withLock { state in
      state.isCollectionDue = false
      defer { state.frames = [] }
      return state.frames
    }
  }

  /// The socket has taken some bytes.
  func sent(_ bytes: Int) {
    wake { state in
      state.outstanding -= bytes
      return state.outstanding <= highWatermark / 2
    }
  }

  /// The call is over: writers are told so.
  func finish(_ error: StatusError) {
    wake { state in
      if state.end == nil { state.end = error }
      state.frames = []
      return true
    }
  }

  /// - Parameter change: says whether those that wait go on.
  private func wake(_ change: (inout State) -> Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard change(&state) else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for writer in waiting { writer.resume() }
  }
}
