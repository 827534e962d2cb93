import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import Store

extension TraceBuilder {
  /// Returns the details of a change, with its documents if there is room for them.
  mutating func change(_ id: String, _ event: ChangeEvent?) -> Trace.Change? {
    switch event {
    case .reference(let event): return change(of: event)
    case .document(let event): return change(id, writes[id], event)
    case .object(let event): return change(of: event)
    case nil:
      if let entry = objects[id] { return Trace.Change(entry, metadata: nil) }
      return change(id, writes[id], nil)
    }
  }

  private mutating func change(of event: ObjectEvent) -> Trace.Change {
    let data = JSONValue.object(event.data)
    let isShown = takes((try? JSON.encode(data))?.count ?? 0)
    if let entry = objects[event.id] {
      return Trace.Change(entry, metadata: isShown ? data : nil)
    }
    return Trace.Change(
      eventId: event.id,
      document: event.name,
      resource: event.resource,
      change: event.type.kind.rawValue,
      fields: [],
      hasDocuments: isShown,
      object: Trace.Object(bucket: event.bucket, metadata: isShown ? data : nil)
    )
  }

  private mutating func change(of event: ReferenceEvent) -> Trace.Change {
    let (before, after) = (event.data, event.value)
    let size = [before, after].reduce(0) { $0 + ((try? JSON.encode($1))?.count ?? 0) }
    let isShown = takes(size)
    return Trace.Change(
      eventId: event.id,
      document: event.ref,
      resource: event.resource,
      change: event.change.rawValue,
      fields: [],
      author: event.authContext?.type == "app_user" ? "user" : "admin",
      authorName: event.authContext?.id,
      hasDocuments: isShown,
      reference: Trace.Reference(
        instance: event.instance,
        before: isShown ? before : nil,
        after: isShown ? after : nil
      )
    )
  }

  private mutating func change(
    _ id: String,
    _ entry: WriteLog.Entry?,
    _ event: DocumentEvent?
  ) -> Trace.Change? {
    guard let document = entry?.document ?? event?.document else { return nil }
    let before = entry?.change?.before ?? event?.oldValue
    let after = entry?.change?.after ?? event?.value
    let isRemembered = entry?.change != nil || event != nil
    let size = [before, after].reduce(0) { $0 + ($1.map(DocumentLimits.size) ?? 0) }
    let isShown = isRemembered && takes(size)
    let kind: EventType.Kind =
      switch entry?.kind {
      case .created?: .created
      case .updated?: .updated
      case .deleted?: .deleted
      case nil: event?.change ?? .written
      }
    var change = Trace.Change(
      eventId: id,
      document: document.path.description,
      resource: document.description,
      change: kind.rawValue,
      fields: (entry?.fields ?? event?.updateMask ?? []).map(\.description),
      before: isShown ? before : nil,
      after: isShown ? after : nil,
      hasDocuments: isShown
    )
    if let function = entry?.invoker?.function {
      (change.author, change.authorName) = ("function", function)
    } else {
      switch entry?.caller {
      case .admin?: change.author = "admin"
      case .user(let uid)?: (change.author, change.authorName) = ("user", uid)
      case .unauthenticated?: change.author = "unauthenticated"
      case .expiry?: change.author = "expiry"
      case nil: break
      }
    }
    return change
  }
}

extension Trace.Change {
  /// Creates the details of an object's change.
  ///
  /// - Parameter metadata: The object's metadata, or `nil` if it isn't kept.
  fileprivate init(_ entry: ObjectLog.Entry, metadata: JSONValue?) {
    self.init(
      eventId: entry.eventID,
      document: entry.name,
      resource: ObjectEvent.resource(entry.name, in: entry.bucket),
      change: entry.kind.rawValue,
      fields: [],
      hasDocuments: metadata != nil,
      object: Trace.Object(bucket: entry.bucket, metadata: metadata)
    )
    if let function = entry.invoker?.function {
      (author, authorName) = ("function", function)
    } else if let uid = entry.author.id {
      (author, authorName) = ("user", uid)
    } else {
      author = entry.author.type
    }
  }
}
