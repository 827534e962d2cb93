package import Core
import FirestoreModel
package import FunctionRuntime
import Synchronization

extension Dispatcher {
  /// Records an event that somebody delivers to us, for every function that takes it.
  ///
  /// - Parameter function: the only one to take it; nil: any.
  /// - Returns: the ids of the deliveries, once a restart wouldn't lose them; none if no function
  ///   takes the event or triggers are off.
  /// - Throws: if they can't be kept.
  package func record(
    _ event: DocumentEvent,
    for function: String? = nil
  ) async throws(StatusError) -> [String] {
    let (functions, invokers, keep) = state.withLock { state in
      (
        state.takers, state.spans.invokers(of: event.traceparent), state.keep
      )
    }
    let deliveries = deliveries(
      of: event,
      to: functions.filter { function == nil || $0.name == function },
      lineage: invokers
    )
    guard !deliveries.isEmpty else { return [] }
    try await keep?(deliveries.compactMap(\.record))
    add(deliveries)
    return deliveries.map(\.id)
  }

  /// Has a delivery's function deal with its event once more, whatever became of it: a new delivery of
  /// the same event, as may come at any time where delivery is at least once.
  ///
  /// - Returns: the new one, once a restart wouldn't lose it.
  /// - Throws: `NOT_FOUND`; `FAILED_PRECONDITION` if the function isn't here, or if none of its triggers
  ///   takes the event any more; or if it can't be kept.
  package func replay(_ id: String) async throws(StatusError) -> Delivery {
    guard let earlier = outbox[id] else {
      throw StatusError(.notFound, "there is no delivery \(quoted(id))")
    }
    let (manifest, keep) = state.withLock { state in
      (state.manifests[earlier.function], state.keep)
    }
    guard let manifest else {
      throw StatusError(.failedPrecondition, "the function \(earlier.function) isn't here")
    }
    try manifest.check(earlier.event)
    let delivery = Delivery(
      id: sources.newID(),
      function: earlier.function,
      event: earlier.event,
      lineage: earlier.lineage,
      recorded: sources.now()
    )
    try await keep?([delivery].compactMap(\.record))
    add([delivery])
    return delivery
  }

  func deliveries(
    of event: DocumentEvent,
    to functions: [FunctionManifest],
    lineage: [Invoker]
  ) -> [Delivery] {
    functions.compactMap { function in
      guard
        case .taken(let trigger, _) =
          try? function.bound(to: event.document.database).match(event)
      else { return nil }
      var event = event
      event.type = trigger.eventType
      if !trigger.eventType.hasAuthContext { event.authContext = nil }
      return Delivery(
        id: sources.newID(),
        function: function.name,
        event: event,
        lineage: lineage,
        recorded: sources.now()
      )
    }
  }

  func add(_ deliveries: [Delivery]) {
    outbox.add(deliveries)
    for delivery in deliveries { schedule(delivery.id) }
  }
}
