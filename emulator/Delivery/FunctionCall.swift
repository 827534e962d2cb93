package import Core
package import FirestoreModel
package import FunctionHost
import FunctionRuntime

/// A call of a callable function.
package struct FunctionCall: Sendable {
  /// The maximum size of a call's data, in bytes. Longer data is dropped as a whole.
  static let maximumEventKept = 64 << 10

  /// The unique id of the call and its invocation.
  package let id: String
  package let function: String
  /// The callable request with its caller, as JSON; empty if it is longer than `maximumEventKept`.
  package let event: Data
  package let started: Timestamp
  package internal(set) var duration: Duration?
  /// The result, or `nil` while the call is running.
  package internal(set) var result: InvocationResult?

  init(id: String, function: String, event: Data, started: Timestamp) {
    self.id = id
    self.function = function
    self.event = event.count > Self.maximumEventKept ? Data() : event
    self.started = started
  }

  mutating func end(_ result: InvocationResult, at now: Timestamp) {
    self.result = result
    if result.line.count > Delivery.maximumOutputKept { self.result?.line = .init() }
    duration = now.duration(since: started)
  }
}
