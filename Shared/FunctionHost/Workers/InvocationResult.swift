package import Core
package import FunctionRuntime

/// The result line that a function printed for an event, with the fields that the dispatcher needs.
package struct InvocationResult: Sendable {
  /// The fields that are read from the line. A script may omit all of them except `status`.
  private struct Summary: Decodable {
    var status: FunctionReply.Status
    var exitCode: Int32?
    var invocationId: String?
    var reason: String?
    var error: Failure?
    var usage: InvocationRecord.Usage?
  }

  private struct Failure: Decodable {
    var code: StatusCode?
    var message: String?
    var retryAfterMs: Int?
    var limit: String?
    var callerMessage: String?
  }

  /// The printed line without its line feed; empty if the function printed no valid line.
  package var line: Data
  package var status: FunctionReply.Status
  package var exitCode: Int32
  /// The reason why the event was skipped, or `nil` if it wasn't.
  package var reason: String?
  /// The error; set if and only if the status is `error`.
  package var error: StatusError?
  package var invocationID: String?
  package var usage: InvocationRecord.Usage?
  package var messageLatencies = MessageLatencies()
  /// The function's result value, or `nil` if it has none.
  package var result: JSONValue?
  /// A Boolean value that indicates whether the event must be delivered again: because of the
  /// function's exit code, or because the function didn't report a result.
  package var isRetryable: Bool

  /// The maximum of `retryAfter` in milliseconds: a day, after which no event is delivered again.
  private static let dayMs = 86_400_000

  /// Creates a result by decoding a function's result line.
  ///
  /// - Throws: `INTERNAL` if the line isn't a valid result.
  package init(line: some Sequence<UInt8>) throws(StatusError) {
    self.line = Data(line)
    let what = "the function's output"
    let json: JSONValue
    let summary: Summary
    do throws(StatusError) {
      json = try JSON.parse(self.line, what: what)
      summary = try JSON.decode(Summary.self, from: json, what: what)
      guard summary.error?.code != .ok else {
        throw StatusError(.internal, "\(what) has an error whose code is OK")
      }
    } catch {
      throw StatusError(.internal, "\(error.message): a function must print one result line")
    }
    status = summary.status
    exitCode = summary.exitCode ?? (summary.status == .error ? ExitCode.bug.rawValue : 0)
    reason = summary.reason
    invocationID = summary.invocationId
    usage = summary.usage
    messageLatencies = MessageLatencies(json["messageLatencies"])
    result = json["result"].flatMap { $0 == .null ? nil : $0 }
    isRetryable = false
    guard status == .error || exitCode == 0 else {
      throw StatusError(
        .internal,
        "the function's status \(status.rawValue) contradicts its exitCode \(exitCode)"
      )
    }
    if status == .error {
      error = StatusError(
        summary.error?.code ?? .unknown,
        summary.error?.message ?? "the function failed",
        retryAfter: summary.error?.retryAfterMs.map { .milliseconds(min(max(0, $0), Self.dayMs)) }
      )
      error?.limit = summary.error?.limit.flatMap(StatusError.Limit.init)
      error?.callerMessage = summary.error?.callerMessage
    }
    setExitCode(exitCode)
  }

  /// Creates a failed result for a function that didn't report one itself.
  ///
  /// - Parameter isRetryable: Whether to deliver the event again; `true` if the function crashed,
  ///   hung or printed invalid output.
  package init(_ error: StatusError, exitCode: Int32, isRetryable: Bool = true) {
    line = Data()
    status = .error
    self.exitCode = exitCode
    self.error = error
    self.isRetryable = isRetryable
    setFault()
  }

  /// The result of an event that a target accepted without returning a result line.
  package static let acknowledged = InvocationResult(status: .ok)

  private init(status: FunctionReply.Status) {
    line = Data()
    self.status = status
    exitCode = ExitCode.ok.rawValue
    isRetryable = false
  }

  /// Sets the exit code. It also decides whether to retry, and whether a failure is a configuration
  /// error.
  package mutating func setExitCode(_ code: Int32) {
    exitCode = code
    isRetryable = code == ExitCode.tryAgain.rawValue
    setFault()
  }

  private mutating func setFault() {
    if exitCode == ExitCode.configuration.rawValue { error?.fault = .configuration }
  }
}
