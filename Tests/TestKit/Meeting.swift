import Foundation

/// A barrier for threads: each waits until the expected number of threads have arrived.
package final class Meeting: Sendable {
  private let condition = NSCondition()
  /// The number of threads that haven't arrived, guarded by `condition`.
  nonisolated(unsafe) private var missing: Int

  package init(of count: Int) { missing = count }

  package func join() {
    condition.withLock {
      missing -= 1
      condition.broadcast()
      while missing > 0 { condition.wait() }
    }
  }
}
