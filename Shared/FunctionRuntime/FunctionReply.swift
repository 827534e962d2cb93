package import Core
import FirestoreModel

/// The result that a function prints as one line for each event.
package struct FunctionReply: Sendable {
  package enum Status: String, Sendable, Codable { case ok, skipped, error }

  /// The error in a reply. `retryable` is true if and only if the exit code is 75.
  package struct Failure: Sendable, Hashable, Codable {
    package var code: StatusCode
    package var message: String
    package var retryable: Bool
    package var retryAfterMs: Int?
    /// The raw value of a `StatusError.Limit`.
    package var limit: String?
    /// The message for callers, if `message` is only for logs.
    package var callerMessage: String?

    package init(_ error: StatusError) {
      code = error.code
      message = error.message
      retryable = ExitCode(error) == .tryAgain
      retryAfterMs = error.retryAfter.map { Int($0 / .milliseconds(1)) }
      limit = error.limit?.rawValue
      callerMessage = error.callerMessage
    }
  }

  package var function: String
  package var eventID: String?
  /// The invocation's ID. Only workers set it, because a worker prints many lines.
  package var invocationID: String?
  package var status: Status
  package var exitCode: ExitCode
  package var result: (any Encodable & Sendable)?
  /// The reason why the event was skipped, or `nil` if it wasn't.
  package var reason: String?
  package var error: Failure?
  package var writes: [InvocationRecord.Write] = []
  package var usage = InvocationRecord.Usage()
  package var duration: Duration = .zero
  /// The time from the document's change to this reply, or `nil` for a call. It is at least zero,
  /// even if a clock is wrong.
  package var latency: Duration?
  /// The latencies of the message that the event or call is about. An error has none, because its
  /// event may be delivered again.
  package var messageLatencies = MessageLatencies()

  /// Creates a reply to an event that couldn't be handled.
  package init(function: String, eventID: String? = nil, error: StatusError) {
    self.init(function: function, eventID: eventID, error: error, exitCode: ExitCode(error))
  }

  package init(
    function: String,
    eventID: String? = nil,
    error: StatusError,
    exitCode: ExitCode
  ) {
    self.function = function
    self.eventID = eventID
    self.status = .error
    self.exitCode = exitCode
    self.error = Failure(error)
  }

  package init(function: String, eventID: String?, outcome: FunctionOutcome) {
    self.function = function
    self.eventID = eventID
    self.exitCode = .ok
    switch outcome {
    case .done(let result):
      status = .ok
      self.result = result
    case .skipped(let reason, let result):
      status = .skipped
      self.reason = reason
      self.result = result
    }
  }
}

extension FunctionReply {
  /// Returns the reply as JSON.
  ///
  /// - Throws: An error if the result can't be encoded.
  private func json() throws -> JSONValue {
    var members: JSONObject = [
      "contract": .integer(Int64(FunctionManifest.contract)), "function": .string(function),
      "status": .string(status.rawValue), "exitCode": .integer(Int64(exitCode.rawValue)),
      "writes": try JSONValue(of: writes), "usage": try JSONValue(of: usage),
      "durationMs": .number(Self.milliseconds(duration)),
    ]
    members["eventId"] = eventID.map(JSONValue.string)
    members["invocationId"] = invocationID.map(JSONValue.string)
    if let result { members["result"] = try JSONValue(of: result) }
    members["reason"] = reason.map(JSONValue.string)
    if let error { members["error"] = try JSONValue(of: error) }
    members["latencyMs"] = latency.map { .number(Self.milliseconds($0)) }
    if !messageLatencies.isEmpty { members["messageLatencies"] = messageLatencies.json }
    return .object(members)
  }

  /// Returns a duration in milliseconds, rounded to tenths.
  static func milliseconds(_ duration: Duration) -> Double {
    (duration / .microseconds(100)).rounded() / 10
  }

  /// The result line without its line feed, and the exit code of the process.
  ///
  /// If the result can't be encoded, the line reports a bug instead.
  package var printable: (line: Data, exitCode: ExitCode) {
    if let line = try? JSON.encode(json()) { return (line, exitCode) }
    var bug = self
    bug.status = .error
    bug.exitCode = .bug
    bug.result = nil
    bug.reason = nil
    bug.error = Failure(StatusError(.internal, "the result can't be encoded"))
    return ((try? JSON.encode(bug.json())) ?? Data(), .bug)
  }

  /// The result line without its line feed.
  package var line: Data { printable.line }
}
