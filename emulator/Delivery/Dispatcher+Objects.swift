package import CloudStorage
import FirestoreModel
import FunctionRuntime
package import Store
import Synchronization

extension Dispatcher: ObjectObserver {
  /// Prepares the deliveries of a change of an object. Each of the change's events has one delivery
  /// for each function with a matching trigger.
  package func prepare(_ change: ObjectChange) -> (any CommitEvents)? {
    guard change.cause.firesTriggers, !hasNoFunctions else { return nil }
    let objects = change.events
    let (functions, writer) = state.withLock {
      (
        $0.triggeredFunctions,
        $0.writer(
          traceparent: change.cause.traceparent,
          function: change.cause.function,
          of: Set(objects.map { ObjectEvent.resource($0.object.name, in: $0.object.bucket) })
        )
      )
    }
    let traceparent = writer.traceparent ?? sources.newTraceparent()
    var events = DeliveryEvents(dispatcher: self)
    for (kind, object) in objects {
      let event = ObjectEvent(
        id: sources.newID(),
        type: EventType(kind.eventKind, of: .object),
        bucket: object.bucket,
        name: object.name,
        time: change.time,
        data: object.resource(),
        traceparent: traceparent
      )
      events.objects.append(
        .init(event, author: change.cause.author.authContext, invoker: writer.invokers.last)
      )
      events.deliveries += deliveries(of: .object(event), to: functions, lineage: writer.invokers)
    }
    return events
  }
}

extension ObjectChange.Kind {
  fileprivate var eventKind: EventType.Kind {
    switch self {
    case .finalized: .finalized
    case .deleted: .deleted
    case .metadataUpdated: .metadataUpdated
    }
  }
}

extension ObjectCause.Author {
  fileprivate var authContext: AuthContext {
    switch self {
    case .administrator: AuthContext(type: "admin")
    case .client(let uid?): AuthContext(type: "app_user", id: uid)
    case .client(nil): AuthContext(type: "unauthenticated")
    }
  }
}
