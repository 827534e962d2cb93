import NIOCore
import Synchronization

/// A counter of a port's open connections, with a limit.
final class ConnectionCount: Sendable {
  private let limit: Int
  private let count = Atomic(0)

  init(limit: Int) { self.limit = limit }

  /// Counts a connection until it is closed.
  ///
  /// - Returns: `false` if the limit is reached.
  func admit(_ channel: any Channel) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      count.subtract(1, ordering: .relaxed)
      return false
    }
    channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
    return true
  }
}
