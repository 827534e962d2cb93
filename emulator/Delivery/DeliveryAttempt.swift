package import FirestoreModel
package import FunctionHost

/// One try to have a function deal with an event.
package struct DeliveryAttempt: Sendable {
  /// 1 for the first.
  package let number: Int
  package let started: Timestamp
  /// The invocation's span: what the function sends on with its requests.
  package let traceparent: String
  package var duration: Duration?
  /// nil while it is under way, and of one that the emulator's end cut short.
  package var result: InvocationResult?

  package init(number: Int, started: Timestamp, traceparent: String) {
    self.number = number
    self.started = started
    self.traceparent = traceparent
  }
}
