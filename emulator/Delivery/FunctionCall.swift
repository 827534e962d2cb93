package import Core
package import FirestoreModel
package import FunctionHost
import FunctionRuntime

/// One call of a callable function.
package struct FunctionCall: Sendable {
  /// What of a call's data is remembered, in bytes; more is dropped as a whole.
  static let maximumEventKept = 64 << 10

  /// Unique; the id of its invocation.
  package let id: String
  package let function: String
  /// The callable request with who calls, as JSON; empty if it is too long to remember.
  package let event: Data
  package let started: Timestamp
  package internal(set) var duration: Duration?
  /// nil while it is under way.
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
