package import Core
import FirestoreModel

/// The caller of a function, verified by the server that received the call.
package struct Caller: Sendable, Hashable, Decodable {
  package var uid: String

  package init(uid: String) { self.uid = uid }

  private enum Member: String, CodingKey { case uid }

  package init(from decoder: any Decoder) throws {
    uid = try decoder.container(keyedBy: Member.self).decodeAttribute(forKey: .uid)
  }
}

/// An event or call from stdin. Its fields determine its kind.
///
/// | fields | meaning |
/// |---|---|
/// | `specversion` | CloudEvent in structured mode |
/// | `context`, or `eventType` beside `data` | first-generation background event |
/// | `data`, and beside it at most `auth` | callable request |
/// | none of these | a bare callable body |
package enum IncomingEvent<Call: Decodable & Sendable>: Sendable {
  case change(ChangeEvent)
  /// An event that isn't a change of a document, node or object. Its payload isn't decoded.
  case other(id: String, type: String)
  case call(Call, caller: Caller?)

  /// The event's ID, or `nil` for a call, which has none.
  package var id: String? {
    switch self {
    case .change(let event): event.id
    case .other(let id, _): id
    case .call: nil
    }
  }
}

extension IncomingEvent: Decodable {
  package init(from decoder: any Decoder) throws {
    // Decode the object once: each container would build a list of the fields again.
    let object = try JSONValue(from: decoder).object ?? [:]
    if object["specversion"] != nil {
      self = try Self.cloudEvent(from: decoder)
    } else if Self.isEvent(object) {
      self = try Self.firstGenerationEvent(from: decoder)
    } else if object["data"] != nil {
      if let other = object.unknownName(besides: ["data", "auth"]) {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: [],
            debugDescription: "a callable request has only data and auth, not \(quoted(other))"
          )
        )
      }
      let request = try decoder.container(keyedBy: RequestMember.self)
      self = .call(
        try request.decode(Call.self, forKey: .data),
        caller: try request.decodeIfPresent(Caller.self, forKey: .auth)
      )
    } else {
      // Refuse values that aren't objects, even if the call's type accepts them.
      _ = try decoder.container(keyedBy: MemberName.self)
      self = .call(try Call(from: decoder), caller: nil)
    }
  }

  /// Returns whether an object is an event of either generation. An object that isn't an event is a
  /// call.
  package static func isEvent(_ object: JSONObject) -> Bool {
    object["specversion"] != nil || object["context"] != nil
      || (object["eventType"] != nil && object["data"] != nil)
  }

  private enum RequestMember: String, CodingKey { case data, auth }

  private enum Attribute: String, CodingKey { case specversion, id, source, type }

  private static func cloudEvent(from decoder: any Decoder) throws -> Self {
    let attributes = try decoder.container(keyedBy: Attribute.self)
    let version = try attributes.decodeAttribute(forKey: .specversion)
    guard version == "1.0" else {
      throw DecodingError.dataCorruptedError(
        forKey: .specversion,
        in: attributes,
        debugDescription: "CloudEvents \(quoted(version)) is not 1.0"
      )
    }
    for attribute in [Attribute.id, .source, .type]
    where try attributes.decodeAttribute(forKey: attribute).isEmpty {
      throw DecodingError.dataCorruptedError(
        forKey: attribute,
        in: attributes,
        debugDescription: "the text is empty"
      )
    }
    let type = try attributes.decodeAttribute(forKey: .type)
    guard EventType(type) != nil else {
      return .other(id: try attributes.decodeAttribute(forKey: .id), type: type)
    }
    return .change(try ChangeEvent(from: decoder))
  }

  // MARK: First generation

  private enum ResourceMember: String, CodingKey { case name }

  /// Returns the name in the field `resource`, which is a text, or an object with `name`.
  private static func resource(
    in context: KeyedDecodingContainer<FirstGeneration>
  ) throws -> String {
    if let name = try? context.decode(String.self, forKey: .resource) { return name }
    return try context.nestedContainer(keyedBy: ResourceMember.self, forKey: .resource)
      .decode(String.self, forKey: .name)
  }

  private enum FirstGeneration: String, CodingKey {
    case context, data, eventId, eventType, timestamp, resource
  }

  private static func firstGenerationEvent(from decoder: any Decoder) throws -> Self {
    let event = try decoder.container(keyedBy: FirstGeneration.self)
    // The attributes are in the object `context`, or beside `data`.
    let context =
      event.contains(.context)
      ? try event.nestedContainer(keyedBy: FirstGeneration.self, forKey: .context) : event
    let id = try context.decodeAttribute(forKey: .eventId)
    let name = try context.decodeAttribute(forKey: .eventType)
    guard let type = EventType(firstGeneration: name) ?? EventType(name) else {
      return .other(id: id, type: name)
    }
    let time = try context.decodeIfPresent(Timestamp.self, forKey: .timestamp)
    // Pass a decoder of the field `data`, because `decoder` decodes the surrounding object.
    let data = try event.superDecoder(forKey: .data)
    switch type.subject {
    case .document:
      return .change(.document(try DocumentEvent(id: id, type: type, time: time, data: data)))
    case .reference:
      let resource = try Self.resource(in: context)
      return .change(
        .reference(
          try ReferenceEvent(id: id, type: type, resource: resource, time: time, data: data)
        )
      )
    case .object:
      return .change(.object(try ObjectEvent(id: id, type: type, time: time, data: data)))
    }
  }
}
