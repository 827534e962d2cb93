package import Core

/// An HTTP client that reuses its connections.
///
/// Create one per process. The client starts a thread at its first request. When the client is
/// released or shut down, the thread ends, the connections are closed, and requests in progress
/// fail with CANCELLED.
///
/// libcurl's environment variables (`https_proxy`, `no_proxy` …) configure a proxy. Requests to
/// this machine don't use it.
package final class HTTPClient: Sendable {
  private let userAgent: String
  private let configuration: HTTPClientConfiguration
  private let random: @Sendable () -> Double
  private let queue = TransferQueue()

  /// - Parameter random: Returns a random number from 0 to 1, for the delays between attempts.
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

  /// Ends all requests, closes all connections, and waits until that is done. Later requests fail
  /// with CANCELLED.
  package func shutDown() async {
    queue.stop()
    await queue.ended()
  }

  /// Sends a request once and returns the complete response, whatever its status.
  ///
  /// - Throws: An error whose message names the method and the URL without its query, never a
  ///   header or the body.
  ///   - UNAVAILABLE: the connection failed or broke, or the response exceeds its size limits.
  ///   - DEADLINE_EXCEEDED: the deadline passed. If it had passed before, nothing was sent.
  ///   - CANCELLED: the task was cancelled.
  ///   - FAILED_PRECONDITION, marked as a configuration error: the URL is invalid, the server's
  ///     certificate isn't trusted, or the request doesn't allow plain http to another machine.
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

  /// Sends a request, with retries according to the policy.
  ///
  /// - Returns: The last response, whatever its status, and the number of attempts.
  /// - Throws: The error of the last attempt, as in `send(_:deadline:)`.
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
        throw StatusError(.cancelled, "\(request.method): cancelled while waiting to retry")
      }
      attempt += 1
    }
  }

  private func begin(_ job: TransferJob) {
    if Task.isCancelled { return job.finish(.failure(job.cancelled)) }
    if job.deadline <= .now { return job.finish(.failure(job.deadlineExceeded)) }
    submit(.start(job)) { $0.cancelled }
    // If the task was cancelled before the job was submitted, the handler had nothing to cancel.
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
      StatusError(.resourceExhausted, "\($0.target): can't start a thread")
    }
    queue.announceEnd()
  }

  /// Blocks all signals on this thread, so that other threads of the process get them. libcurl is
  /// configured not to handle signals, so SIGPIPE of a closed connection would otherwise end the
  /// process.
  private static func leaveSignalsToOthers() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}

/// A task executor that runs tasks on the transfer thread, between its transfers.
///
/// A task that sends one request after another on another executor spends much of its time on
/// switching threads. Use this executor only for tasks that compute little, because transfers wait
/// while a task computes.
extension HTTPClient: TaskExecutor {
  package func enqueue(_ job: consuming ExecutorJob) {
    submit(.run(UnownedJob(job), on: asUnownedTaskExecutor())) { $0.cancelled }
  }

  /// Waits until one of these file descriptors has input or is at its end, or the client is shut
  /// down. Transfers continue in the meantime.
  package func waitForInput(on descriptors: [Int32]) async {
    await withCheckedContinuation { continuation in
      submit(.watch(InputWatch(descriptors: descriptors, continuation: continuation))) {
        $0.cancelled
      }
    }
  }
}
