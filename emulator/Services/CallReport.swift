import Core
package import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime

/// A call in the JSON form of the pages' API.
package struct CallReport: Encodable, Sendable {
  /// The state of a call.
  package enum State: String, Sendable, Encodable {
    case running, succeeded, skipped, failed
  }

  var id: String
  var function: String
  /// The caller's user id, or `nil` if the caller isn't signed in or the call was too long to keep.
  var uid: String?
  /// The time of the call.
  var recorded: Timestamp
  package var state: State
  var exitCode: Int32?
  var reason: String?
  var error: FunctionReply.Failure?
  var durationMs: Double?
  /// The function's result line.
  var output: JSONValue?

  /// Creates the report of a call.
  ///
  /// - Parameter includingOutput: Whether the report has the function's result line.
  package init(_ call: FunctionCall, includingOutput: Bool = true) {
    id = call.id
    function = call.function
    uid = (try? JSONValue(parsing: call.event))?["auth"]?["uid"]?.string
    recorded = call.started
    state =
      switch call.result?.status {
      case nil: .running
      case .ok?: .succeeded
      case .skipped?: .skipped
      case .error?: .failed
      }
    exitCode = call.result?.exitCode
    reason = call.result?.reason
    error = call.result?.error.map(FunctionReply.Failure.init)
    durationMs = call.duration.map { ($0 / .microseconds(1)).rounded() / 1_000 }
    if includingOutput { output = call.result.flatMap { try? JSONValue(parsing: $0.line) } }
  }
}
