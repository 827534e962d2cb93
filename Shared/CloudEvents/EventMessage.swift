package import Core
import FirestoreModel
import FirestoreProtos
package import FunctionRuntime

/// An event as an HTTP request.
package struct EventMessage: Sendable {
  /// The format of the request. The data of the Realtime Database and of Cloud Storage is always
  /// JSON.
  package enum Form: Sendable, CaseIterable {
    /// Binary mode: attributes as headers, DocumentEventData in protobuf as the body.
    case protobuf
    /// Binary mode with DocumentEventData in JSON as the body.
    case json
    /// Structured mode: the whole event as one JSON object.
    case structured
    /// Binary mode with protobuf as base64 text. Google's Firestore emulator sends this format, and
    /// Firebase's functions emulator accepts no other.
    case base64Protobuf
    /// An event for functions of the first generation.
    case firstGeneration
  }

  package let headers: [(name: String, value: String)]
  package let body: Data

  /// Creates a message that encodes an event.
  ///
  /// - Throws: `INTERNAL` if the event can't be encoded.
  package init(_ event: ChangeEvent, as form: Form) throws(StatusError) {
    switch event {
    case .document(let event): try self.init(event, as: form)
    case .reference(let event): try self.init(event, as: form)
    case .object(let event): try self.init(event, as: form)
    }
  }

  private init(_ event: ReferenceEvent, as form: Form) throws(StatusError) {
    switch form {
    case .protobuf, .json, .base64Protobuf:
      headers = Self.headers(event.attributes, contentType: "application/json")
      body = try Self.json(event.payload)
    case .structured:
      headers = Self.structuredHeaders
      body = try Self.json(event)
    case .firstGeneration:
      headers = [("content-type", "application/json")]
      body =
        FirstGenerationEvent(
          id: event.id,
          type: event.type.firstGeneration,
          timestamp: event.time.description,
          resource: .init(name: event.resource, service: EventService.database.rawValue),
          domain: ReferenceEvent.host,
          data: event.payload
        ).json
    }
  }

  private init(_ event: ObjectEvent, as form: Form) throws(StatusError) {
    let data = JSONValue.object(event.data)
    switch form {
    case .protobuf, .json, .base64Protobuf:
      headers = Self.headers(event.attributes, contentType: "application/json")
      body = try Self.json(data)
    case .structured:
      headers = Self.structuredHeaders
      body = try Self.json(event)
    case .firstGeneration:
      headers = [("content-type", "application/json")]
      body =
        FirstGenerationEvent(
          id: event.id,
          type: event.type.firstGeneration,
          timestamp: event.time.description,
          resource: .init(
            name: event.resource,
            service: EventService.storage.rawValue,
            type: data["kind"]?.string
          ),
          data: data
        ).json
    }
  }

  private init(_ event: DocumentEvent, as form: Form) throws(StatusError) {
    let data = ProtoDocumentEventData(event)
    switch form {
    case .protobuf:
      headers = Self.headers(event.attributes, contentType: "application/protobuf")
      body = try data.protobuf
    case .json:
      headers = Self.headers(event.attributes, contentType: "application/json")
      body = try data.json
    case .structured:
      headers = Self.structuredHeaders
      body = try Self.json(event)
    case .base64Protobuf:
      headers = Self.headers(event.attributes, contentType: "application/protobuf")
      body = try data.protobuf.base64EncodedData()
    case .firstGeneration:
      headers = [("content-type", "application/json")]
      body = try Self.firstGeneration(event, data)
    }
  }

  /// Returns the headers of binary mode. The header `content-type` replaces the attribute
  /// `datacontenttype`, which must not be sent.
  ///
  /// Source: CloudEvents HTTP protocol binding 1.0, section 3.1.
  private static func headers(
    _ attributes: [(name: String, value: String)],
    contentType: String
  ) -> [(name: String, value: String)] {
    [("content-type", contentType)]
      + attributes.map { ("ce-\($0.name)", HeaderValue.encode($0.value)) }
  }

  private static let structuredHeaders = [
    (name: "content-type", value: "application/cloudevents+json; charset=utf-8")
  ]

  private static func json(_ value: some Encodable) throws(StatusError) -> Data {
    do {
      return try JSON.encode(value)
    } catch {
      throw StatusError(.internal, "the event can't be encoded")
    }
  }

  private static func firstGeneration(
    _ event: DocumentEvent,
    _ data: ProtoDocumentEventData
  ) throws(StatusError) -> Data {
    var data = data
    // The field `updateMask` is present even if it is empty.
    if !data.hasUpdateMask { data.updateMask = .init() }
    return FirstGenerationEvent(
      id: event.id,
      type: event.type.firstGeneration,
      timestamp: event.time.description,
      resource: .init(
        name: event.document.description,
        service: EventService.firestore.rawValue
      ),
      data: try JSONValue(parsing: data.json)
    ).json
  }
}
