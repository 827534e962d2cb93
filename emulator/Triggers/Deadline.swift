import RPCStatus
import Synchronization

/// Runs something that ends by itself once `onTimeout` has done its work.
///
/// - Returns: its result, or nil if the time was up first.
func withDeadline<Success: Sendable>(
  after duration: Duration,
  _ body: @escaping @Sendable () async throws(StatusError) -> Success,
  onTimeout: @escaping @Sendable () async -> Void
) async -> Result<Success, StatusError>? {
  let decision = Decision()
  return await withTaskGroup(of: Result<Success, StatusError>?.self) { group in
    group.addTask {
      let result: Result<Success, StatusError>
      do throws(StatusError) {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      return decision.take() ? result : nil
    }
    group.addTask {
      do {
        try await Task.sleep(for: duration)
      } catch {
        return nil
      }
      if decision.take() { await onTimeout() }
      return nil
    }
    // Both are waited for: one of them ends the other.
    let first = await group.next() ?? nil
    group.cancelAll()
    let second = await group.next() ?? nil
    return first ?? second
  }
}

/// Taken by whoever is first: what the body makes of being ended is no result of its own.
private final class Decision: Sendable {
  private let isTaken = Atomic(false)

  /// Whether it was still there to be taken.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }
}
