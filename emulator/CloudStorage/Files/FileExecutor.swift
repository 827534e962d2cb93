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
}
