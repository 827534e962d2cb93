import Core
import Synchronization

/// Whether the server still takes requests.
final class Lifecycle: Sendable {
  /// What is told to those who come after SIGTERM, and to those whose time is up.
  static let refusal = StatusError(
    .unavailable,
    "this instance ends",
    retryAfter: .seconds(1)
  )

  private let draining = Atomic(false)
  private let over = Atomic(false)

  /// Nothing new is taken.
  var isDraining: Bool { draining.load(ordering: .relaxed) }
  func drain() { draining.store(true, ordering: .relaxed) }

  /// What is still under way is given up.
  var isOver: Bool { over.load(ordering: .relaxed) }
  func end() { over.store(true, ordering: .relaxed) }
}
