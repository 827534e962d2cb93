/// Suspends the task until its continuation is resumed or the task is cancelled.
///
/// - Parameters:
///   - keep: Stores the continuation and returns `true`. Returns `false` if there is nothing to
///     wait for, or if the task is already cancelled.
///   - takeBack: Removes the stored continuation and returns it, or returns `nil` if the
///     continuation was already resumed.
package func waitUnlessCancelled(
  _ keep: (CheckedContinuation<Void, Never>) -> Bool,
  takeBack: @escaping @Sendable () -> CheckedContinuation<Void, Never>?
) async {
  await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      if !keep(continuation) { continuation.resume() }
    }
  } onCancel: {
    takeBack()?.resume()
  }
}
