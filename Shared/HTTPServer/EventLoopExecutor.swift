import NIOCore

/// Runs a connection's tasks on the connection's own event loop.
///
/// What a request reads and writes is there already; on the pool that tasks run on otherwise, each
/// step of it would wake up another thread. What isn't brief (`HTTPService.runsOnEventLoop`) goes there all
/// the same: other connections share the loop.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
