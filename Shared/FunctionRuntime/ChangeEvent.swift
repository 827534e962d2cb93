import Core
package import FirestoreModel

/// A change that triggers functions.
///
/// Its JSON is the CloudEvent; the attribute `type` tells the cases apart.
package enum ChangeEvent: Sendable, Hashable {
  case document(DocumentEvent)
  case reference(ReferenceEvent)

  package var id: String {
    switch self {
    case .document(let event): event.id
    case .reference(let event): event.id
    }
  }

  package var type: EventType {
    get {
      switch self {
      case .document(let event): event.type
      case .reference(let event): event.type
      }
    }
    set { update({ $0.type = newValue }, { $0.type = newValue }) }
  }

  package var time: Timestamp {
    switch self {
    case .document(let event): event.time
    case .reference(let event): event.time
    }
  }

  package var traceparent: String? {
    switch self {
    case .document(let event): event.traceparent
    case .reference(let event): event.traceparent
    }
  }

  package var authContext: AuthContext? {
    get {
      switch self {
      case .document(let event): event.authContext
      case .reference(let event): event.authContext
      }
    }
    set { update({ $0.authContext = newValue }, { $0.authContext = newValue }) }
  }

  package var change: EventType.Kind {
    switch self {
    case .document(let event): event.change
    case .reference(let event): event.change
    }
  }

  /// The path of the document or node, such as `conversations/trip` and `status/sarah`.
  package var path: String {
    switch self {
    case .document(let event): event.document.path.description
    case .reference(let event): event.ref
    }
  }

  /// The full name of the document or node.
  package var resource: String {
    switch self {
    case .document(let event): event.document.description
    case .reference(let event): event.resource
    }
  }

  /// The document that has changed, or `nil` if the change is of something else.
  package var document: DocumentName? {
    if case .document(let event) = self { event.document } else { nil }
  }

  private mutating func update(
    _ document: (inout DocumentEvent) -> Void,
    _ reference: (inout ReferenceEvent) -> Void
  ) {
    switch self {
    case .document(var event):
      document(&event)
      self = .document(event)
    case .reference(var event):
      reference(&event)
      self = .reference(event)
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
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .document(let event): try event.encode(to: encoder)
    case .reference(let event): try event.encode(to: encoder)
    }
  }
}
