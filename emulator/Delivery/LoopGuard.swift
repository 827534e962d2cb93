import Core
import FirestoreModel
import FunctionRuntime

/// The protection against functions that trigger each other, or themselves, in an endless loop.
enum LoopGuard {
  /// The maximum number of functions in the chain between a client's change and a delivery.
  static let maximumDepth = 16
  /// The number of returns at which a delivery is refused. A return is an invocation of the same
  /// function on the same document, earlier in the delivery's chain.
  ///
  /// Some functions need a second run to find that nothing is left to do.
  static let maximumReturns = 3

  /// Returns the reason not to run a delivery, with the functions that led to it, or `nil` if it
  /// may run.
  static func refusal(of delivery: Delivery) -> StatusError? {
    // A presumed invocation doesn't count as a return, because its document is a guess. The length
    // of its chain is certain enough for the maximum depth.
    let returns = delivery.lineage.count { step in
      step.function == delivery.function && !step.isPresumed
        && step.resource?.hasSameBytes(as: delivery.event.resource) == true
    }
    let chain = (delivery.lineage.map(\.function) + [delivery.function])
      .joined(separator: " → ")
    if returns >= maximumReturns {
      return StatusError(
        .failedPrecondition,
        "\(delivery.function) triggers itself: its work on \(delivery.event.path) has "
          + "triggered it \(returns) times: \(chain); avoid writes that trigger it again"
      )
    }
    guard delivery.lineage.count > maximumDepth else { return nil }
    return StatusError(
      .failedPrecondition,
      "\(delivery.function) was triggered by a chain of more than \(maximumDepth) functions: "
        + chain + advice(on: delivery.lineage)
    )
  }

  /// Returns the advice for functions that wrote without a trace context; empty if none did.
  private static func advice(on lineage: [Invoker]) -> String {
    let writers = Set(lineage.filter(\.isPresumed).map(\.function)).sorted()
    guard !writers.isEmpty else { return "" }
    let names = writers.joined(separator: " and ")
    return
      "; \(names) wrote without the traceparent of the invocation: send it with each request "
      + "(the variable TRACEPARENT, or a worker's invocation.traceparent), and avoid "
      + "writes that trigger the function again"
  }
}
