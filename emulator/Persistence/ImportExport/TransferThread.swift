import Dispatch

/// A thread for reading and writing files, which would block other work on a shared thread.
final class TransferThread: SerialExecutor {
  private let queue = DispatchQueue(label: "transfer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
