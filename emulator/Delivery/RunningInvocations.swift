import FirestoreModel

/// The running invocations of each function. A function's write without a trace context is
/// attributed to one of them.
struct RunningInvocations {
  /// A running invocation.
  struct Invocation {
    let traceparent: String
    /// The functions that led to the invocation, and the invocation itself last.
    var invokers: [Invoker]
  }

  /// The running invocations by function, the earliest first.
  private var running: [String: [Invocation]] = [:]
  /// The last invocation that ended, by function.
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

  /// Returns the invocation to which a function's write without a trace context is attributed, or
  /// `nil` if the function hasn't run yet.
  ///
  /// The result is the running invocation with the shortest chain of functions. The actual writer's
  /// chain is as long or longer, so no chain is overestimated. If no invocation is running, because
  /// the function writes after its result, the result is the last invocation that ended.
  ///
  /// - Parameter documents: The full names of the written documents. Among invocations with equally long chains, one
  ///   that was triggered by a written document is preferred.
  func presumedWriter(_ function: String, of documents: Set<String>) -> Invocation? {
    func rank(_ invocation: Invocation) -> (Int, Int) {
      let resource = invocation.invokers.last?.resource
      return (invocation.invokers.count, resource.map(documents.contains) == true ? 0 : 1)
    }
    guard
      var writer = running[function]?.min(by: { rank($0) < rank($1) }) ?? lastEnded[function]
    else { return nil }
    writer.invokers[writer.invokers.count - 1].isPresumed = true
    return writer
  }
}
