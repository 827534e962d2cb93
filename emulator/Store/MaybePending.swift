package import Core

/// What comes of an operation that may have to wait: for somebody's locks, and a commit for its
/// journal if there is one.
///
/// Nearly none has to without a journal, so that callers on an event loop can answer at once.
package enum MaybePending<Success: Sendable>: Sendable {
  case done(Success)
  /// Waits until it can be answered; calling it more than once is an error.
  case blocked(@Sendable () async throws(StatusError) -> Success)

  /// The result, waited for if need be.
  package func value() async throws(StatusError) -> Success {
    switch self {
    case .done(let success): success
    case .blocked(let wait): try await wait()
    }
  }
}

extension MaybePending {
  /// What is made of the result, at once if it is there.
  package func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Success) throws(StatusError) -> Other
  ) throws(StatusError) -> MaybePending<Other> {
    switch self {
    case .done(let success): return .done(try transform(success))
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in try transform(try await wait()) }
    }
  }

  /// The same, if what follows may have to wait as well.
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
