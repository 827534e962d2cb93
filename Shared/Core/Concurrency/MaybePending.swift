/// The result of an operation, available either at once or after a wait for locks or the journal.
///
/// Without a journal almost no operation waits, so a caller on an event loop can usually respond at
/// once.
package enum MaybePending<Success: Sendable>: Sendable {
  case done(Success)
  /// A closure that waits for the result. Calling it more than once is an error.
  case blocked(@Sendable () async throws(StatusError) -> Success)

  /// Returns the result, and waits for it if necessary.
  package func value() async throws(StatusError) -> Success {
    switch self {
    case .done(let success): success
    case .blocked(let wait): try await wait()
    }
  }
}

extension MaybePending {
  /// Transforms the result. If it isn't available yet, the transformation is done when somebody
  /// waits for it.
  package func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Success) throws(StatusError) -> Other
  ) throws(StatusError) -> MaybePending<Other> {
    switch self {
    case .done(let success): return .done(try transform(success))
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in try transform(try await wait()) }
    }
  }

  /// Transforms the result with another operation, which may have to wait, too.
  package func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Success) throws(StatusError) -> MaybePending<Other>
  ) throws(StatusError) -> MaybePending<Other> {
    switch self {
    case .done(let success): return try transform(success)
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in
        try await transform(try await wait()).value()
      }
    }
  }
}
