package import FirestoreModel
package import FunctionHost

/// An attempt of a delivery.
package struct DeliveryAttempt: Sendable {
  /// The attempt's number, from 1 on.
  package let number: Int
  package let started: Timestamp
  /// The W3C trace context of the invocation, which the function sends with its requests.
  package let traceparent: String
  package var duration: Duration?
  /// The result, or `nil` if the attempt is running or was interrupted by a shutdown.
  package var result: InvocationResult?

  package init(number: Int, started: Timestamp, traceparent: String) {
    self.number = number
    self.started = started
    self.traceparent = traceparent
  }
}
