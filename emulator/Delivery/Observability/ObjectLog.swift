import Core
import DequeModule
package import FirestoreModel
package import FunctionRuntime
import Synchronization

/// The log of objects' changes, from which `explain` finds who wrote an object.
package final class ObjectLog: Sendable {
  /// A change of an object that has an event.
  package struct Entry: Sendable {
    /// The id of the change's event, by which the event's deliveries are found.
    package let eventID: String
    package let bucket: String
    package let name: String
    package let kind: EventType.Kind
    package let time: Timestamp
    /// The author, whom the event doesn't name.
    package let author: AuthContext
    /// The invocation that changed the object, or `nil` if no function did.
    package let invoker: Invoker?
    /// The W3C trace context that the writer sent, or a new one if it sent none.
    package let traceparent: String

    init(_ event: ObjectEvent, author: AuthContext, invoker: Invoker?) {
      eventID = event.id
      bucket = event.bucket
      name = event.name
      kind = event.type.kind
      time = event.time
      self.author = author
      self.invoker = invoker
      traceparent = event.traceparent ?? ""
    }
  }

  private static let capacity = 20_000

  private let all = Mutex<Deque<Entry>>([])

  func add(_ new: [Entry]) {
    all.withLock { entries in
      entries.append(contentsOf: new)
      let excess = entries.count - Self.capacity
      if excess > 0 { entries.removeFirst(excess) }
    }
  }

  /// All kept entries, the oldest first.
  package var entries: [Entry] { Array(all.withLock { $0 }) }

  /// Returns the author of an event's change, or `nil` if it isn't kept.
  func author(of event: ChangeEvent) -> AuthContext? {
    all.withLock { entries in entries.last { $0.eventID == event.id }?.author }
  }

  /// Returns the newest change of an object, or `nil` if there is none.
  func lastChange(of name: String, in bucket: String) -> Entry? {
    // Writers don't wait for the search.
    let entries = all.withLock { $0 }
    return entries.last { $0.name.hasSameBytes(as: name) && $0.bucket.hasSameBytes(as: bucket) }
  }
}
