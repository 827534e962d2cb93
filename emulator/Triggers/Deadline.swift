import RPCStatus

/// Runs something that ends by itself once `onTimeout` has done its work.
///
/// - Returns: its result, or nil if the time was up first.
func withDeadline<Success: Sendable>(
  after duration: Duration,
  _ body: @escaping @Sendable () async throws(StatusError) -> Success,
  onTimeout: @escaping @Sendable () async -> Void
) async -> Result<Success, StatusError>? {
  await withTaskGroup(of: Result<Success, StatusError>?.self) { group in
    group.addTask {
      do throws(StatusError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    group.addTask {
      do {
        try await Task.sleep(for: duration)
      } catch {
        return nil
      }
      await onTimeout()
      return nil
    }
    // Whoever is first decides; the other is cancelled and waited for.
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
}
