import Core
package import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime

/// A delivery as the API shows it.
package struct DeliveryReport: Encodable, Sendable {
  var id: String
  var function: String
  var eventId: String
  var eventType: EventType
  var document: String
  var time: Timestamp
  /// When the event was given to the function; of one that was replayed, long after the change.
  var recorded: Timestamp
  var state: Delivery.State
  /// The delivery that caused the change, if a function did.
  var cause: String?
  /// How many there were.
  var attempts: Int
  /// How many invocations chaos has killed.
  var kills: Int
  /// When it is tried again.
  var nextAttempt: Timestamp?
  var exitCode: Int32?
  var reason: String?
  var error: FunctionReply.Failure?
  var durationMs: Double?
  /// What the function printed.
  var output: JSONValue?

  /// - Parameter includingOutput: whether it tells what the function printed.
  package init(_ delivery: Delivery, includingOutput: Bool = true) {
    id = delivery.id
    function = delivery.function
    eventId = delivery.event.id
    eventType = delivery.event.type
    document = delivery.event.document.path.description
    time = delivery.event.time
    recorded = delivery.recorded
    state = delivery.state
    cause = delivery.cause
    attempts = delivery.attemptCount
    kills = delivery.kills
    nextAttempt = delivery.nextAttempt
    exitCode = delivery.result?.exitCode
    reason = delivery.result?.reason
    error = delivery.result?.error.map(FunctionReply.Failure.init)
    error?.retryable = delivery.result?.isRetryable ?? false
    durationMs = delivery.duration.map { ($0 / .microseconds(1)).rounded() / 1_000 }
    if includingOutput { output = delivery.result.flatMap { try? JSONValue(parsing: $0.line) } }
  }
}
