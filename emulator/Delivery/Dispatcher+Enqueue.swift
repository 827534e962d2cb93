package import Core
import FirestoreModel
package import FunctionRuntime
import Synchronization

extension Dispatcher {
  /// Records an event that another program sent, for every function with a matching trigger.
  /// Returns once the journal has written the deliveries.
  ///
  /// - Parameter function: The only function that may get the event, or `nil` for all.
  /// - Returns: The ids of the deliveries; empty if no trigger matches or triggers are off.
  /// - Throws: The journal's error if the deliveries can't be written.
  package func enqueue(
    _ event: ChangeEvent,
    for function: String? = nil
  ) async throws(StatusError) -> [String] {
    let (functions, invokers, keep) = state.withLock { state in
      (
        state.triggeredFunctions, state.spans.invokers(of: event.traceparent), state.keep
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

  /// Delivers the event of a delivery to its function again. The delivery may be in any state.
  ///
  /// At-least-once delivery permits such a new delivery of the same event at any time.
  ///
  /// - Returns: The new delivery, once the journal has written it.
  /// - Throws: `NOT_FOUND` if there is no such delivery; `FAILED_PRECONDITION` if the function is
  ///   missing or none of its triggers matches the event any more; or the journal's error if the
  ///   delivery can't be written.
  package func redeliver(_ id: String) async throws(StatusError) -> Delivery {
    guard let earlier = outbox[id] else {
      throw StatusError(.notFound, "there is no delivery \(quoted(id))")
    }
    let (manifest, keep) = state.withLock { state in
      (state.manifests[earlier.function], state.keep)
    }
    guard let manifest else {
      throw StatusError(
        .failedPrecondition,
        "the function \(earlier.function) is missing: put its executable into a functions' folder, "
          + "or restart the emulator with --functions and the function's folder"
      )
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

  /// Makes the deliveries of an event, one for each of the functions with a matching trigger.
  func deliveries(
    of event: ChangeEvent,
    to functions: [FunctionManifest],
    lineage: [Invoker]
  ) -> [Delivery] {
    functions.compactMap { function in
      guard
        case .taken(let trigger, _) = try? function.bound(to: event).match(event)
      else { return nil }
      var event = event
      event.type = trigger.eventType
      if case .document = event, !trigger.eventType.hasAuthContext { event.authContext = nil }
      return Delivery(
        id: sources.newID(),
        function: function.name,
        event: event,
        lineage: lineage,
        recorded: sources.now()
      )
    }
  }

  /// Adds deliveries to the outbox and schedules them.
  func add(_ deliveries: [Delivery]) {
    outbox.add(deliveries)
    for delivery in deliveries { schedule(delivery.id) }
  }
}
