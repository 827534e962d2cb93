import Core
import FirestoreModel
import FunctionRuntime
package import RealtimeDatabase
package import Store
import Synchronization

extension Dispatcher: DatabaseObserver {
  /// Prepares the deliveries of a change of a Realtime Database. Each changed node has one delivery
  /// for each function with a matching trigger.
  package func prepare(_ change: DatabaseChange) -> (any CommitEvents)? {
    let instance = change.database.string
    guard !hasNoFunctions else { return nil }
    let functions = state.withLock(\.triggeredFunctions).filter { function in
      function.triggers.contains { (try? $0.isBound(toInstance: instance)) == true }
    }
    var nodes: [ByteKey: DatabaseChange.ChangedNode] = [:]
    let patterns = functions.flatMap(\.triggers).filter { $0.eventType.subject == .reference }
    for pattern in Set(patterns.compactMap({ try? $0.pattern })) {
      for node in change.nodes(matching: pattern) { nodes[ByteKey(node.path)] = node }
    }
    let resources = Set(nodes.keys.map { ReferenceEvent.resource($0.string, in: instance) })
    let (writer, time) = state.withLock {
      (
        $0.writer(traceparent: change.traceparent, function: change.function, of: resources),
        $0.referenceTime(at: sources.now())
      )
    }
    var events = DeliveryEvents(dispatcher: self)
    events.references = change.paths.prefix(ReferenceLog.maximumPaths).map { path in
      .init(
        instance: instance,
        path: path,
        time: time,
        author: change.caller.authContext,
        invoker: writer.invokers.last
      )
    }
    guard !nodes.isEmpty else { return events }
    let traceparent = writer.traceparent ?? sources.newTraceparent()
    for (_, node) in nodes.sorted(by: { $0.key < $1.key }) {
      let event = ReferenceEvent(
        id: sources.newID(),
        type: EventType(.written, of: .reference),
        instance: instance,
        ref: node.path,
        time: time,
        data: node.before,
        delta: node.before.delta(to: node.after),
        authContext: change.caller.authContext,
        traceparent: traceparent
      )
      events.deliveries += deliveries(
        of: .reference(event),
        to: functions,
        lineage: writer.invokers
      )
    }
    return events
  }
}

extension DatabaseCaller {
  fileprivate var authContext: AuthContext {
    switch self {
    case .administrator: AuthContext(type: "admin")
    case .client(let auth):
      auth["uid"]?.string.map { AuthContext(type: "app_user", id: $0) }
        ?? AuthContext(type: "unauthenticated")
    }
  }
}
