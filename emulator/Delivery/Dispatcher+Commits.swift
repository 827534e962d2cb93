import FirestoreModel
import FunctionRuntime
package import Store
import Synchronization

extension Dispatcher: CommitObserver {
  /// Prepares the deliveries of a commit. Each change has one delivery for each function with a
  /// matching trigger.
  package func prepare(_ commit: Commit) -> (any CommitEvents)? {
    guard commit.cause.firesTriggers,
      let (functions, writer) = state.withLock({ state -> ([FunctionManifest], Writer)? in
        guard !state.manifests.isEmpty else { return nil }
        return (state.triggeredFunctions, state.writer(of: commit))
      })
    else { return nil }
    let traceparent = writer.traceparent ?? sources.newTraceparent()
    var events = DeliveryEvents(dispatcher: self)
    for change in commit.changes {
      let event = DocumentEvent(
        id: sources.newID(),
        type: EventType(change.eventKind),
        document: change.name,
        time: commit.time,
        value: change.after,
        oldValue: change.before,
        updateMask: change.changedFields(),
        authContext: commit.cause.caller.authContext,
        traceparent: traceparent
      )
      events.writes.append(.init(change, event: event, of: commit, by: writer.invokers.last))
      events.deliveries += deliveries(of: .document(event), to: functions, lineage: writer.invokers)
    }
    return events
  }
}

/// The deliveries of one commit, of one change of a Realtime Database, or of one change of an object.
struct DeliveryEvents: CommitEvents {
  let dispatcher: Dispatcher
  var deliveries: [Delivery] = []
  /// The changes, for the log that explains who wrote a document.
  var writes: [WriteLog.Entry] = []
  /// The writes of a change, for the log that explains who wrote a node.
  var references: [ReferenceLog.Entry] = []
  /// The events of a change, for the log that explains who wrote an object.
  var objects: [ObjectLog.Entry] = []

  var records: [JournalRecord] { deliveries.compactMap(\.record) }

  func publish() {
    dispatcher.writes.add(writes)
    dispatcher.references.add(references)
    dispatcher.objects.add(objects)
    dispatcher.add(deliveries)
  }
}

/// The cause of a change.
struct Writer {
  var traceparent: String?
  /// The invocations that led to the change, the writer last; empty if no function wrote it.
  var invokers: [Invoker]
}

extension Dispatcher.State {
  /// Returns the cause of a commit.
  fileprivate func writer(of commit: Commit) -> Writer {
    writer(
      traceparent: commit.cause.traceparent,
      function: commit.cause.function,
      of: Set(commit.changes.map(\.name.description))
    )
  }

  /// Returns the cause of a change. If a function sent no trace context, the cause is a presumed
  /// invocation.
  ///
  /// - Parameter resources: The full names of the changed documents, nodes or objects.
  func writer(
    traceparent: String?,
    function: String?,
    of resources: @autoclosure () -> Set<String>
  ) -> Writer {
    let invokers = spans.invokers(of: traceparent)
    guard invokers.isEmpty, let function,
      let presumed = running.presumedWriter(function, of: resources())
    else { return Writer(traceparent: traceparent, invokers: invokers) }
    return Writer(traceparent: presumed.traceparent, invokers: presumed.invokers)
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
  /// The caller in the form of Eventarc's `withAuthContext` events.
  fileprivate var authContext: AuthContext {
    switch self {
    case .admin, .expiry: .init(type: "system")
    case .user(let uid): .init(type: "app_user", id: uid)
    case .unauthenticated: .init(type: "unauthenticated")
    }
  }
}
