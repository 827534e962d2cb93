import FirestoreModel

/// The invocations under way, by function: what a function's writes are put down to that carry no
/// trace context.
struct RunningInvocations {
  struct Invocation {
    let traceparent: String
    /// The functions that led there, the invocation itself last.
    var invokers: [Invoker]
  }

  /// The first to begin is the first in its list.
  private var running: [String: [Invocation]] = [:]
  private var lastEnded: [String: Invocation] = [:]

  mutating func begin(_ traceparent: String, of invokers: [Invoker]) {
    guard let function = invokers.last?.function else { return }
    running[function, default: []].append(
      Invocation(traceparent: traceparent, invokers: invokers)
    )
  }

  mutating func end(_ traceparent: String, of function: String) {
    guard var invocations = running[function],
      let index = invocations.firstIndex(where: { $0.traceparent == traceparent })
    else { return }
    lastEnded[function] = invocations.remove(at: index)
    running[function] = invocations.isEmpty ? nil : invocations
  }

  /// Returns the invocation of a function that a write without a trace context is put down to; nil if
  /// there was none yet.
  ///
  /// The one with the shortest chain counts: the chain of the one that wrote is as long or
  /// longer, so that no chain ever seems longer than it is. A function that writes after its answer has
  /// none under way; its last one stands for it then.
  ///
  /// - Parameter documents: what was written; of equals, the one that one of them woke.
  func presumedWriter(_ function: String, of documents: Set<DocumentName>) -> Invocation? {
    func rank(_ invocation: Invocation) -> (Int, Int) {
      let document = invocation.invokers.last?.document
      return (invocation.invokers.count, document.map(documents.contains) == true ? 0 : 1)
    }
    guard
      var writer = running[function]?.min(by: { rank($0) < rank($1) }) ?? lastEnded[function]
    else { return nil }
    writer.invokers[writer.invokers.count - 1].isPresumed = true
    return writer
  }
}
