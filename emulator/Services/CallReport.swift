import Core
package import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime

/// A call as the API shows it.
package struct CallReport: Encodable, Sendable {
  package enum State: String, Sendable, Encodable {
    case running, succeeded, skipped, failed
  }

  var id: String
  var function: String
  /// Who calls; nil if nobody is signed in, or the call was too long to remember.
  var uid: String?
  /// When it came.
  var recorded: Timestamp
  package var state: State
  var exitCode: Int32?
  var reason: String?
  var error: FunctionReply.Failure?
  var durationMs: Double?
  /// What the function printed.
  var output: JSONValue?

  /// - Parameter includingOutput: whether it tells what the function printed.
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
