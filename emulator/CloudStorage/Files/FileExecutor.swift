import Dispatch

/// An executor with threads for reading, writing and syncing files. On the threads that all tasks
/// share, these would block other work.
final class FileExecutor: TaskExecutor {
  static let shared = FileExecutor()

  private let queue = DispatchQueue(label: "files", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs a closure on the executor's threads.
  static func run<Success: Sendable>(
    _ body: @Sendable () async throws(StorageError) -> Success
  ) async throws(StorageError) -> Success {
    try await withTaskExecutorPreference(shared) { () async throws(StorageError) in
      try await body()
    }
  }
}
