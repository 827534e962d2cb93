package import Core
import Synchronization

/// A request's body that arrives while the service reads it.
///
/// The server stops to read from the client while too much of the body waits for the service.
package final class RequestBody: Sendable {
  /// The number of waiting bytes above which the server stops to read from the client.
  private static let highWaterMark = 512 << 10

  fileprivate struct State {
    var pieces: [Data] = []
    var byteCount = 0
    var end: Result<Void, StatusError>?
    var reader: CheckedContinuation<Void, Never>?
    var onDemand: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Creates the body of a complete request.
  package convenience init(_ data: Data) {
    self.init()
    if !data.isEmpty { append(data) }
    finish()
  }

  // MARK: Reading

  /// Returns the next bytes, or `nil` at the end of the body. Only one task may read.
  ///
  /// - Throws: `CANCELLED` if the client disconnects before the end, or `INVALID_ARGUMENT` if the
  ///   body is malformed. The bytes before that are returned first.
  package func next() async throws(StatusError) -> Data? {
    while true {
      let (pieces, end, onDemand) = state.withLock { state in
        defer {
          state.pieces = []
          state.byteCount = 0
        }
        let isHeld = state.byteCount > Self.highWaterMark
        return (state.pieces, state.end, isHeld ? state.onDemand : nil)
      }
      onDemand?()
      if let first = pieces.first {
        return pieces.count == 1 ? first : pieces.reduce(into: Data()) { $0.append($1) }
      }
      if let end {
        try end.get()
        return nil
      }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.pieces.isEmpty, state.end == nil else { return true }
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Returns the whole body.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it is larger than a limit in bytes.
  package func collect(atMost limit: Int) async throws(StatusError) -> Data {
    var whole = Data()
    while let piece = try await next() {
      whole.append(piece)
      guard whole.count <= limit else {
        throw StatusError(.invalidArgument, "the body is larger than \(limit) bytes")
      }
    }
    return whole
  }

  // MARK: Writing

  /// A Boolean value that indicates whether the server must not read more from the client.
  package var isFull: Bool { state.withLock { $0.byteCount > Self.highWaterMark } }

  /// Sets the closure that is called when the service has taken the waiting bytes of a full body.
  package func onDemand(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onDemand = body }
  }

  package func append(_ piece: Data) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.pieces.append(piece)
      state.byteCount += piece.count
      return state.takeReader()
    }?.resume()
  }

  /// Ends the body, with an error if it is incomplete. Later calls have no effect.
  package func finish(throwing error: StatusError? = nil) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      state.end = error.map { .failure($0) } ?? .success(())
      return state.takeReader()
    }?.resume()
  }
}

extension RequestBody.State {
  mutating func takeReader() -> CheckedContinuation<Void, Never>? {
    defer { reader = nil }
    return reader
  }
}
