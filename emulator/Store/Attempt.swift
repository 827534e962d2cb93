package import RPCStatus

/// What comes of an operation that may have to wait for somebody's locks.
///
/// Nearly none has to, so that callers on an event loop can answer at once.
package enum Attempt<Success: Sendable>: Sendable {
  case done(Success)
  /// Waits until the locks are free and then answers; calling it more than once is an error.
  case blocked(@Sendable () async throws(StatusError) -> Success)

  /// The result, waited for if need be.
  package func value() async throws(StatusError) -> Success {
    switch self {
    case .done(let success): success
    case .blocked(let wait): try await wait()
    }
  }
}
