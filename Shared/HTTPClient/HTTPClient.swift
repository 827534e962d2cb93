package import Core

/// An HTTP client that keeps its connections for the next request.
///
/// Make one per process. It costs nothing until the first request, which starts its one thread.
/// The thread and the connections end when the transport is released or shut down; what is under
/// way then fails with CANCELLED.
///
/// libcurl's own variables (`https_proxy`, `no_proxy` …) name a proxy, but never for loopback.
package final class HTTPClient: Sendable {
  private let userAgent: String
  private let configuration: HTTPClientConfiguration
  private let random: @Sendable () -> Double
  private let queue = TransferQueue()

  /// - Parameter random: A source of numbers from 0 to 1, for the waits between attempts.
  package init(
    userAgent: String,
    configuration: HTTPClientConfiguration,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.userAgent = userAgent
    self.configuration = configuration
    self.random = random
  }

  deinit { queue.stop() }

  /// Ends all requests and connections and returns when they are gone. Requests made after it fail
  /// with CANCELLED.
  package func shutDown() async {
    queue.stop()
    await queue.ended()
  }

  /// Sends a request once and returns the complete response, whatever its status.
  ///
  /// - Throws: Messages name the method and the URL without its query, never a header or content.
  ///   - UNAVAILABLE: no connection, a broken one, or a response beyond its limits.
  ///   - DEADLINE_EXCEEDED: the deadline passed. Nothing is sent if it had passed before.
  ///   - CANCELLED: the task was cancelled.
  ///   - FAILED_PRECONDITION, a fault of the configuration: the URL is no good, the server's
  ///     certificate isn't trusted, or plain http would leave this machine.
  ///   - INVALID_ARGUMENT: the method or a header can't be written as HTTP.
  package func send(
    _ request: HTTPRequest,
    deadline: ContinuousClock.Instant
  ) async throws(StatusError) -> HTTPResponse {
    let target = try RequestTarget(request)
    let identifier = queue.newIdentifier()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = TransferJob(
          identifier: identifier,
          request: request,
          target: target,
          deadline: deadline,
          continuation: continuation
        )
        begin(job)
      }
    } onCancel: {
      queue.cancel(identifier)
    }
    return try outcome.get()
  }

  /// Sends a request as often as the policy says.
  ///
  /// - Returns: the last response, whatever its status, and how often the request was sent.
  /// - Throws: as the single `send` does, for the last attempt.
  package func send(
    _ request: HTTPRequest,
    deadline: ContinuousClock.Instant,
    retry: HTTPRetryPolicy
  ) async throws(StatusError) -> (response: HTTPResponse, attempts: Int) {
    var attempt = 1
    while true {
      let outcome: Result<HTTPResponse, StatusError>
      do throws(StatusError) {
        outcome = .success(try await send(request, deadline: deadline))
      } catch {
        outcome = .failure(error)
      }
      let timeLeft = ContinuousClock.now.duration(to: deadline)
      guard
        let delay = retry.delay(
          after: outcome,
          attempt: attempt,
          timeLeft: timeLeft,
          jitter: random()
        )
      else { return (try outcome.get(), attempt) }
      do {
        try await Task.sleep(for: delay, clock: .continuous)
      } catch {
        throw StatusError(.cancelled, "\(request.method): cancelled between two attempts")
      }
      attempt += 1
    }
  }

  private func begin(_ job: TransferJob) {
    if Task.isCancelled { return job.finish(.failure(job.cancelled)) }
    if job.deadline <= .now { return job.finish(.failure(job.deadlineExceeded)) }
    submit(.start(job)) { $0.cancelled }
    // A cancellation just before the hand-over found nothing to cancel.
    if Task.isCancelled { queue.cancel(job.identifier) }
  }

  private func submit(
    _ command: TransferQueue.Command,
    orFailWith error: (TransferJob) -> StatusError
  ) {
    switch queue.submit(command) {
    case .refused: [command].refuse(with: error)
    case .queued: break
    case .first: startThread()
    }
  }

  private func startThread() {
    let (queue, userAgent, configuration) = (queue, userAgent, configuration)
    let error = DetachedThread.start {
      Self.leaveSignalsToOthers()
      TransferLoop(queue, userAgent: userAgent, configuration: configuration).run()
    }
    guard error != 0 else { return }
    queue.detach().refuse {
      StatusError(.resourceExhausted, "\($0.target): no thread is left")
    }
    queue.announceEnd()
  }

  /// The process's signals are for its other threads. And as libcurl is told not to touch signals,
  /// a write to a closed connection would otherwise end the process with SIGPIPE.
  private static func leaveSignalsToOthers() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}

/// Runs tasks on the transport's thread, between its transfers.
///
/// A task that sends one request after another spends much of its time in handing over to the other
/// thread and back; here it needs none. It is for tasks that wait more than they compute: while one
/// computes, no transfer goes on.
extension HTTPClient: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    submit(.run(UnownedJob(job), on: asUnownedTaskExecutor())) { $0.cancelled }
  }

  /// Returns when one of these file descriptors has something to read or has come to its end, or when
  /// the transport ends. Transfers go on meanwhile.
  package func waitForInput(on descriptors: [Int32]) async {
    await withCheckedContinuation { continuation in
      submit(.watch(InputWatch(descriptors: descriptors, continuation: continuation))) {
        $0.cancelled
      }
    }
  }
}
