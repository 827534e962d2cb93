import Core
import Synchronization

/// A result that is set once, and that one task can wait for.
final class Promise<Success: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Result<Success, StatusError>, Never>

  private enum State {
    case pending(Continuation?)
    case completed(Result<Success, StatusError>)
  }

  private let state = Mutex(State.pending(nil))

  /// Sets the result. Results after the first are ignored.
  func complete(_ result: Result<Success, StatusError>) {
    let continuation = state.withLock { state -> Continuation? in
      guard case .pending(let continuation) = state else { return nil }
      state = .completed(result)
      return continuation
    }
    continuation?.resume(returning: result)
  }

  var value: Result<Success, StatusError> {
    get async {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Result<Success, StatusError>? in
          if case .completed(let result) = state { return result }
          state = .pending(continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    }
  }
}
