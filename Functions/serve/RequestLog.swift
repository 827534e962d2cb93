import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Logging

/// The log of requests: one line for each invocation and each refused request.
///
/// Lines have the request's kind and outcome, but none of its text.
struct RequestLog: Sendable {
  struct Entry: Sendable {
    var kind: String
    /// The HTTP status; for a stream, the status of its outcome instead of the 200 sent first.
    var status: Int
    var duration: Duration
    var invocationID: String
    var traceparent: String?
    var eventID: String?
    var eventType: String?
    var result: InvocationResult
    /// The error that the function or its process failed with.
    var error: StatusError? { result.error }
  }

  let function: String
  let trace: TraceNames
  let level: Logger.Level

  func write(_ entry: Entry) {
    var members: JSONObject = [
      "durationMs": .number((entry.duration / .microseconds(1)).rounded() / 1_000),
      "invocationId": .string(entry.invocationID),
    ]
    members["eventId"] = entry.eventID.map(JSONValue.string)
    members["eventType"] = entry.eventType.map(JSONValue.string)
    members["code"] = entry.error.map { .string($0.code.rawValue) }
    members.merge(reported(by: entry.result)) { own, _ in own }
    write(
      severity(of: entry),
      message(of: entry),
      kind: entry.kind,
      status: entry.status,
      traceparent: entry.traceparent,
      members
    )
  }

  /// Returns the latencies and counts that metrics based on the log are made of.
  private func reported(by result: InvocationResult) -> JSONObject {
    var members: JSONObject = [:]
    let latencies = result.messageLatencies
    if !latencies.isEmpty { members["messageLatencies"] = latencies.json }
    let usage = result.usage
    members["translationsServed"] = usage?.translationsServed.map { .integer(Int64($0)) }
    members["pushesSent"] = usage?.pushesSent.map { .integer(Int64($0)) }
    members["pushesOpened"] = usage?.pushesOpened.map { .integer(Int64($0)) }
    return members
  }

  /// Writes the line of a refused request.
  ///
  /// - Parameters:
  ///   - headers: the request's headers, for its trace.
  ///   - isOurs: whether the server caused the refusal, not the client.
  func writeRefusal(
    _ error: StatusError,
    kind: String,
    status: Int,
    headers: [String: String],
    isOurs: Bool = false
  ) {
    write(
      isOurs ? .error : .warning,
      "\(kind) refused: \(error.message.withoutQuotations)",
      kind: kind,
      status: status,
      traceparent: TraceNames.parent(of: headers),
      ["code": .string(error.code.rawValue)]
    )
  }

  private func write(
    _ severity: Logger.Level,
    _ message: String,
    kind: String,
    status: Int,
    traceparent: String?,
    _ more: JSONObject
  ) {
    guard severity >= level else { return }
    var members = more
    members["severity"] = .string(severity.severity)
    members["message"] = .string(message)
    members["time"] = .string(Timestamp.now.description)
    members["function"] = .string(function)
    members["kind"] = .string(kind)
    members["status"] = .integer(Int64(status))
    for (name, value) in trace.members(of: traceparent) { members[name] = .string(value) }
    guard let line = try? JSON.encode(JSONValue.object(members)) else { return }
    StandardError.write(line: line)
  }

  /// Returns `info` for a success, `error` for a failure, or `warning` for a client's error (4xx).
  private func severity(of entry: Entry) -> Logger.Level {
    guard entry.error != nil else { return .info }
    return (400..<500).contains(entry.status) ? .warning : .error
  }

  private func message(of entry: Entry) -> String {
    guard let error = entry.error else { return "\(entry.kind) answered" }
    let end = entry.status < 300 ? "failed and is not delivered again" : "failed"
    return "\(entry.kind) \(end): \(error.message.withoutQuotations)"
  }
}

extension String {
  /// The text without the part between the first and the last quotation mark, which may quote a
  /// request.
  fileprivate var withoutQuotations: String {
    guard let start = firstIndex(of: "\""), let end = lastIndex(of: "\""), start < end else {
      return self
    }
    return self[..<start] + "…" + self[index(after: end)...]
  }
}
