package import FirestoreModel
package import FunctionRuntime

/// One event on its way to one function.
package struct Delivery: Sendable {
  package enum State: String, Sendable, Codable {
    case waiting, running, succeeded, skipped, failed
  }

  /// Unique; the invocation's id.
  package var id: String
  package var function: String
  package var event: DocumentEvent
  /// The delivery whose function wrote the change, if one did.
  package var cause: String?
  /// How many functions stand between this change and the one somebody else made.
  package var depth: Int
  package var state = State.waiting
  package var result: InvocationResult?
  package var started: Timestamp?
  package var duration: Duration?

  package init(
    id: String,
    function: String,
    event: DocumentEvent,
    cause: String?,
    depth: Int
  ) {
    self.id = id
    self.function = function
    self.event = event
    self.cause = cause
    self.depth = depth
  }
}
