import Core
package import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime

/// A delivery in the JSON form of the pages' API.
package struct DeliveryReport: Encodable, Sendable {
  var id: String
  var function: String
  var eventId: String
  var eventType: EventType
  /// The path of the document or node that changed, or the name of the object.
  var document: String
  /// The kind of change: `created`, `updated` or `deleted`; that of an object is `finalized`,
  /// `deleted` or `metadataUpdated`.
  var change: String
  /// The full name of the document, node or object.
  var resource: String
  /// The beginning of the document's text, or `nil` if it has none.
  var excerpt: String?
  var time: Timestamp
  /// The time when the delivery was recorded. For a replay, it is later than the change.
  var recorded: Timestamp
  var state: Delivery.State
  /// The id of the delivery or call that caused the change, or `nil` if no function did.
  var cause: String?
  /// The number of attempts.
  var attempts: Int
  /// The number of invocations that fault injection has killed.
  var kills: Int
  /// The time of the next attempt.
  var nextAttempt: Timestamp?
  var exitCode: Int32?
  var reason: String?
  var error: FunctionReply.Failure?
  var durationMs: Double?
  /// The function's result line.
  var output: JSONValue?

  /// Creates the report of a delivery.
  ///
  /// - Parameter includingOutput: Whether the report has the function's result line.
  package init(_ delivery: Delivery, includingOutput: Bool = true) {
    id = delivery.id
    function = delivery.function
    eventId = delivery.event.id
    eventType = delivery.event.type
    document = delivery.event.path
    change = delivery.change.rawValue
    resource = delivery.event.resource
    excerpt = delivery.excerpt
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
