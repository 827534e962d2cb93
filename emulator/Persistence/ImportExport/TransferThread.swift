import Dispatch

/// An executor with its own thread for reading and writing files. On a shared thread, these would
/// block other work.
final class TransferThread: SerialExecutor {
  private let queue = DispatchQueue(label: "transfer", qos: .utility)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
