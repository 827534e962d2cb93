package import Core
package import FunctionRuntime

/// The line a function printed for an event, and what the dispatcher reads in it.
package struct InvocationResult: Sendable {
  /// The members that matter; all but `status` may be missing in a script's.
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
  }

  /// As it was printed, without the line feed; empty if nothing usable was.
  package var line: Data
  package var status: FunctionReply.Status
  package var exitCode: Int32
  /// Why the event was skipped.
  package var reason: String?
  /// Set exactly if the status is `error`.
  package var error: StatusError?
  package var invocationID: String?
  package var usage: InvocationRecord.Usage?
  /// What the function made of the event; nil if that is nothing.
  package var result: JSONValue?
  /// Whether the event is to be delivered again: the function asks for it, or never came to say
  /// what became of the event.
  package var isRetryable: Bool

  /// Nothing is delivered again after that.
  private static let dayMs = 86_400_000

  /// - Throws: `INTERNAL` if the line is no result.
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
      throw StatusError(.internal, "\(error.message); a function prints one result line")
    }
    status = summary.status
    exitCode = summary.exitCode ?? (summary.status == .error ? ExitCode.bug.rawValue : 0)
    reason = summary.reason
    invocationID = summary.invocationId
    usage = summary.usage
    result = json["result"].flatMap { $0 == .null ? nil : $0 }
    isRetryable = false
    guard status == .error || exitCode == 0 else {
      throw StatusError(
        .internal,
        "the function's status is \(status.rawValue) and its exitCode \(exitCode)"
      )
    }
    if status == .error {
      error = StatusError(
        summary.error?.code ?? .unknown,
        summary.error?.message ?? "the function failed",
        retryAfter: summary.error?.retryAfterMs.map { .milliseconds(min(max(0, $0), Self.dayMs)) }
      )
      error?.limit = summary.error?.limit.flatMap(StatusError.Limit.init)
    }
    setExitCode(exitCode)
  }

  /// A failure the function could not report itself.
  ///
  /// - Parameter isRetryable: true if it crashed, hung or printed garbage.
  package init(_ error: StatusError, exitCode: Int32, isRetryable: Bool = true) {
    line = Data()
    status = .error
    self.exitCode = exitCode
    self.error = error
    self.isRetryable = isRetryable
    setFault()
  }

  /// An event that was taken and nothing said about it.
  package static let acknowledged = InvocationResult(status: .ok)

  private init(status: FunctionReply.Status) {
    line = Data()
    self.status = status
    exitCode = ExitCode.ok.rawValue
    isRetryable = false
  }

  /// Takes the function at its word: whose fault a failure is, and whether to try again.
  package mutating func setExitCode(_ code: Int32) {
    exitCode = code
    isRetryable = code == ExitCode.tryAgain.rawValue
    setFault()
  }

  private mutating func setFault() {
    if exitCode == ExitCode.configuration.rawValue { error?.fault = .configuration }
  }
}
