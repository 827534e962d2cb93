import Core

/// One request on its way to the transfer thread, with everything that thread needs.
struct TransferJob: Sendable {
  /// Unique among the jobs of a queue.
  let identifier: UInt64
  let request: HTTPRequest
  let target: RequestTarget
  /// When the transfer ends at the latest.
  let deadline: ContinuousClock.Instant
  /// Who waits. Resumed exactly once, by whoever takes the job out of the queue.
  let continuation: CheckedContinuation<Result<HTTPResponse, StatusError>, Never>

  func finish(_ outcome: Result<HTTPResponse, StatusError>) {
    continuation.resume(returning: outcome)
  }

  /// The error of a transfer that its own side ended.
  var cancelled: StatusError { StatusError(.cancelled, "\(target): cancelled") }

  /// The error of a transfer whose time was up.
  var deadlineExceeded: StatusError {
    StatusError(.deadlineExceeded, "\(target): no complete response before the deadline")
  }
}
