import Core
import Synchronization

/// The state of the server's shutdown.
final class Lifecycle: Sendable {
  /// The error for requests that arrive after SIGTERM or outlast the drain time.
  static let refusal = StatusError(
    .unavailable,
    "this instance is shutting down",
    retryAfter: .seconds(1)
  )

  private let draining = Atomic(false)
  private let over = Atomic(false)

  /// A Boolean value that indicates whether new requests are refused.
  var isDraining: Bool { draining.load(ordering: .relaxed) }
  func drain() { draining.store(true, ordering: .relaxed) }

  /// A Boolean value that indicates whether running invocations are aborted.
  var isOver: Bool { over.load(ordering: .relaxed) }
  func end() { over.store(true, ordering: .relaxed) }
}
