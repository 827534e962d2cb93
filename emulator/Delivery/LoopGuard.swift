import Core
import FirestoreModel
import FunctionRuntime

/// Stops functions that wake each other, or themselves, for ever.
enum LoopGuard {
  /// How many functions may stand between a change and the one that somebody else made.
  static let maximumDepth = 16
  /// How often a function may be woken by what came of its own work on the same document. Some
  /// need a second run to see that there is nothing left to do.
  static let maximumReturns = 3

  /// - Returns: why a delivery is not to be run, with the functions that led to it; nil if it is.
  static func refusal(of delivery: Delivery) -> StatusError? {
    // A presumed writer is one of several: the length of its chain is certain, its document isn't.
    let returns = delivery.lineage.count { step in
      step.function == delivery.function && step.document == delivery.event.document
        && !step.isPresumed
    }
    let chain = (delivery.lineage.map(\.function) + [delivery.function])
      .joined(separator: " → ")
    if returns >= maximumReturns {
      return StatusError(
        .failedPrecondition,
        "\(delivery.function) feeds itself: it was woken \(returns) times by what came of its work "
          + "on \(delivery.event.document.path): \(chain)"
      )
    }
    guard delivery.lineage.count > maximumDepth else { return nil }
    return StatusError(
      .failedPrecondition,
      "\(delivery.function) was woken by a chain of more than \(maximumDepth) functions: "
        + chain + advice(on: delivery.lineage)
    )
  }

  /// The treatment of writes without a trace context.
  private static func advice(on lineage: [Invoker]) -> String {
    let writers = Set(lineage.filter(\.isPresumed).map(\.function)).sorted()
    guard !writers.isEmpty else { return "" }
    let names = writers.joined(separator: " and ")
    return
      "; \(names) wrote without the traceparent of the invocation: send it with each request to "
      + "Firestore (the variable TRACEPARENT, or a worker's invocation.traceparent), and write "
      + "nothing that wakes the function again for ever"
  }
}
