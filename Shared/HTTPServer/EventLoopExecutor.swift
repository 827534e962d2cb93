import NIOCore

/// A task executor that runs a connection's tasks on the connection's own event loop.
///
/// The event loop's thread has read the request, so no other thread has to be woken up. Requests
/// that take long run on the default pool, because other connections share the event loop; see
/// `HTTPService.runsOnEventLoop`.
final class EventLoopExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
