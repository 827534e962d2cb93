import Foundation

/// A point at which threads wait until as many as were invited are there.
package final class Meeting: Sendable {
  private let condition = NSCondition()
  /// Guarded by `condition`.
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
