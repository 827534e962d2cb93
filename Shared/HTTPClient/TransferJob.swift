import Core

/// A request for the transfer thread, with the task that waits for its response.
struct TransferJob: Sendable {
  /// The identifier, unique among the jobs of a queue.
  let identifier: UInt64
  let request: HTTPRequest
  let target: RequestTarget
  /// The time by which the transfer must end.
  let deadline: ContinuousClock.Instant
  /// The waiting task. It is resumed exactly once, by the code that removes the job from the queue.
  let continuation: CheckedContinuation<Result<HTTPResponse, StatusError>, Never>

  func finish(_ outcome: Result<HTTPResponse, StatusError>) {
    continuation.resume(returning: outcome)
  }

  /// The error of a cancelled transfer.
  var cancelled: StatusError { StatusError(.cancelled, "\(target): cancelled") }

  /// The error of a transfer that reached its deadline.
  var deadlineExceeded: StatusError {
    StatusError(.deadlineExceeded, "\(target): no complete response before the deadline")
  }
}
