import NIOCore

/// A task executor that runs a connection's tasks on the connection's own event loop.
///
/// The data of a request is on that thread already; on the default pool, each step would wake up
/// another thread. Requests that take long (`HTTPService.runsOnEventLoop`) still run on the default
/// pool, because other connections share the event loop.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
