package import Core
import FirestoreModel
import FirestoreProtos
package import FunctionRuntime

/// A document's event as an HTTP request carries it.
package struct EventMessage: Sendable {
  /// How it is written.
  package enum Form: Sendable, CaseIterable {
    /// Binary mode: attributes as headers, DocumentEventData as the body.
    case protobuf
    /// The same with the data as JSON.
    case json
    /// Structured mode: all of it is one JSON object.
    case structured
    /// Binary mode whose body is the base64 text of the protobuf, as Google's emulator sends it:
    /// Firebase's functions emulator decodes nothing else.
    case base64Protobuf
    /// A background event of the first generation.
    case firstGeneration
  }

  package let headers: [(name: String, value: String)]
  package let body: Data

  /// - Throws: `INTERNAL` for a document that can't be encoded.
  package init(_ event: DocumentEvent, as form: Form) throws(StatusError) {
    let data = ProtoDocumentEventData(event)
    switch form {
    case .protobuf:
      headers = Self.headers(event, contentType: "application/protobuf")
      body = try data.protobuf
    case .json:
      headers = Self.headers(event, contentType: "application/json")
      body = try data.json
    case .structured:
      headers = [("content-type", "application/cloudevents+json; charset=utf-8")]
      body = try Self.json(event)
    case .base64Protobuf:
      headers = Self.headers(event, contentType: "application/protobuf")
      body = try data.protobuf.base64EncodedData()
    case .firstGeneration:
      headers = [("content-type", "application/json")]
      body = try Self.firstGeneration(event, data)
    }
  }

  /// Binary mode. The content type stands for `datacontenttype`, which must not be there itself.
  ///
  /// Source: CloudEvents HTTP protocol binding 1.0, section 3.1.
  private static func headers(
    _ event: DocumentEvent,
    contentType: String
  ) -> [(name: String, value: String)] {
    [("content-type", contentType)]
      + event.attributes.map { ("ce-\($0.name)", HeaderValue.encode($0.value)) }
  }

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
    // It is there even if nothing is in it.
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
