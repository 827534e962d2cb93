import FirestoreModel
package import FunctionRuntime
package import RPCStatus
package import Store
import Synchronization

extension Dispatcher {
  /// What a commit is to functions. Called inside the commit: it neither waits nor writes.
  package func followUp(_ commit: Commit) -> CommitFollowUp? {
    guard commit.cause.firesTriggers,
      let (functions, invokers) = state.withLock({ state -> ([FunctionManifest], [Invoker])? in
        guard !state.manifests.isEmpty else { return nil }
        return (
          state.takers,
          state.spans.invokers(of: commit.cause.traceparent)
        )
      })
    else { return nil }
    let traceparent = commit.cause.traceparent ?? sources.newTraceparent()
    var deliveries: [Delivery] = []
    var notes: [WriteLog.Entry] = []
    for change in commit.changes {
      let fields = change.changedFields()
      notes.append(.init(change, fields: fields, of: commit, by: invokers.last))
      let event = DocumentEvent(
        id: sources.newID(),
        type: EventType(change.eventKind),
        document: change.name,
        time: commit.time,
        value: change.after,
        oldValue: change.before,
        updateMask: fields,
        authContext: commit.cause.caller.authContext,
        traceparent: traceparent
      )
      deliveries += self.deliveries(of: event, to: functions, lineage: invokers)
    }
    return CommitFollowUp { [deliveries] in
      deliveries.compactMap(\.record)
    } publish: { [deliveries, notes] in
      self.writes.add(notes)
      self.add(deliveries)
    }
  }

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

  private func deliveries(
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

  private func add(_ deliveries: [Delivery]) {
    outbox.add(deliveries)
    for delivery in deliveries { schedule(delivery.id) }
  }
}

extension DocumentChange {
  fileprivate var eventKind: EventType.Kind {
    switch kind {
    case .created: .created
    case .updated: .updated
    case .deleted: .deleted
    }
  }
}

extension CommitCause.Caller {
  /// The authtype of Eventarc's `withAuthContext` events.
  fileprivate var authContext: DocumentEvent.AuthContext {
    switch self {
    case .admin: .init(type: "system")
    case .user(let uid): .init(type: "app_user", id: uid)
    case .unauthenticated: .init(type: "unauthenticated")
    }
  }
}
