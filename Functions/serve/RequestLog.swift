import FirestoreModel
import FunctionRuntime
import JSONCoding
import Logging
import Platform
import RPCStatus

/// One line for each invocation: what it was and what became of it, without any text.
struct RequestLog: Sendable {
  struct Entry: Sendable {
    var kind: String
    var status: Int
    var duration: Duration
    var invocationID: String
    var traceparent: String?
    var eventID: String?
    var eventType: String?
    /// What the function, or its process, failed with.
    var error: StatusError?
  }

  let function: String
  let trace: TraceNames
  let level: Logger.Level

  func write(_ entry: Entry) {
    let severity: Logger.Level = entry.error == nil ? .info : .error
    guard severity >= level else { return }
    var members: [String: JSONValue] = [
      "severity": .string(severity.severity), "message": .string(message(entry)),
      "time": .string(Timestamp.now.description), "function": .string(function),
      "kind": .string(entry.kind), "status": .integer(Int64(entry.status)),
      "durationMs": .number((entry.duration / .microseconds(1)).rounded() / 1_000),
      "invocationId": .string(entry.invocationID),
    ]
    members["eventId"] = entry.eventID.map(JSONValue.string)
    members["eventType"] = entry.eventType.map(JSONValue.string)
    members["code"] = entry.error.map { .string($0.code.rawValue) }
    for (name, value) in trace.members(of: entry.traceparent) { members[name] = .string(value) }
    guard let line = try? JSON.encode(JSONValue.object(members)) else { return }
    writeAll(line + [0x0A], to: STDERR_FILENO)
  }

  private func message(_ entry: Entry) -> String {
    guard let error = entry.error else { return "\(entry.kind) answered" }
    let end = entry.status < 300 ? "failed and is not delivered again" : "failed"
    return "\(entry.kind) \(end): \(error.message)"
  }
}
