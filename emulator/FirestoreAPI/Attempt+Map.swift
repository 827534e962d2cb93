import RPCStatus
import Store

extension Attempt {
  /// What is made of the result, at once if it is there.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Success) throws(StatusError) -> Other
  ) throws(StatusError) -> Attempt<Other> {
    switch self {
    case .done(let success): return .done(try transform(success))
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in try transform(try await wait()) }
    }
  }

  /// The same, if what follows may have to wait as well.
  func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Success) throws(StatusError) -> Attempt<Other>
  ) throws(StatusError) -> Attempt<Other> {
    switch self {
    case .done(let success): return try transform(success)
    case .blocked(let wait):
      return .blocked { () async throws(StatusError) in
        try await transform(try await wait()).value()
      }
    }
  }
}
