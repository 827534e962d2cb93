import Core
package import FirestoreModel

/// A change that triggers functions.
///
/// Its JSON is the CloudEvent; the attribute `type` tells the cases apart.
package enum ChangeEvent: Sendable, Hashable {
  case document(DocumentEvent)
  case reference(ReferenceEvent)
  case object(ObjectEvent)

  package var id: String {
    switch self {
    case .document(let event): event.id
    case .reference(let event): event.id
    case .object(let event): event.id
    }
  }

  package var type: EventType {
    get {
      switch self {
      case .document(let event): event.type
      case .reference(let event): event.type
      case .object(let event): event.type
      }
    }
    set { update({ $0.type = newValue }, { $0.type = newValue }, { $0.type = newValue }) }
  }

  package var time: Timestamp {
    switch self {
    case .document(let event): event.time
    case .reference(let event): event.time
    case .object(let event): event.time
    }
  }

  package var traceparent: String? {
    switch self {
    case .document(let event): event.traceparent
    case .reference(let event): event.traceparent
    case .object(let event): event.traceparent
    }
  }

  /// The author of the change. Events of objects have none, so setting it doesn't change them.
  package var authContext: AuthContext? {
    get {
      switch self {
      case .document(let event): event.authContext
      case .reference(let event): event.authContext
      case .object: nil
      }
    }
    set { update({ $0.authContext = newValue }, { $0.authContext = newValue }, { _ in }) }
  }

  package var change: EventType.Kind {
    switch self {
    case .document(let event): event.change
    case .reference(let event): event.change
    case .object(let event): event.type.kind
    }
  }

  /// The path of the document or node, such as `conversations/trip` and `status/sarah`, or the name
  /// of the object.
  package var path: String {
    switch self {
    case .document(let event): event.document.path.description
    case .reference(let event): event.ref
    case .object(let event): event.name
    }
  }

  /// The full name of the document, node or object.
  package var resource: String {
    switch self {
    case .document(let event): event.document.description
    case .reference(let event): event.resource
    case .object(let event): event.resource
    }
  }

  /// The document that has changed, or `nil` if the change is of something else.
  package var document: DocumentName? {
    if case .document(let event) = self { event.document } else { nil }
  }

  private mutating func update(
    _ document: (inout DocumentEvent) -> Void,
    _ reference: (inout ReferenceEvent) -> Void,
    _ object: (inout ObjectEvent) -> Void
  ) {
    switch self {
    case .document(var event):
      document(&event)
      self = .document(event)
    case .reference(var event):
      reference(&event)
      self = .reference(event)
    case .object(var event):
      object(&event)
      self = .object(event)
    }
  }
}

extension ChangeEvent: Codable {
  private enum Attribute: String, CodingKey { case type }

  package init(from decoder: any Decoder) throws {
    let type = try decoder.container(keyedBy: Attribute.self)
      .decode(EventType.self, forKey: .type)
    switch type.subject {
    case .document: self = .document(try DocumentEvent(from: decoder))
    case .reference: self = .reference(try ReferenceEvent(from: decoder))
    case .object: self = .object(try ObjectEvent(from: decoder))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .document(let event): try event.encode(to: encoder)
    case .reference(let event): try event.encode(to: encoder)
    case .object(let event): try event.encode(to: encoder)
    }
  }
}
