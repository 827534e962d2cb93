import CloudEvents
import Core
import FirestoreModel
import FunctionRuntime
import HTTPService
import TestKit

/// Events of the document `notes/n1`, which has a field of every type.
enum EventFixtures {
  static let database = DatabaseName(project: "demo-p")

  static func name(_ path: String = "notes/n1") throws -> DocumentName {
    try DocumentName(database: database, path: ResourcePath(path))
  }

  static func document(_ fields: Fields, at path: String = "notes/n1") throws -> Document {
    Document(
      name: try name(path),
      fields: fields,
      createTime: Timestamp(seconds: 1_700_000_000),
      updateTime: Timestamp(seconds: 1_700_000_001, nanoseconds: 250_000_000)
    )
  }

  static var everyType: Fields {
    var fields = Fields(
      Value.everyType.enumerated().map { ("field\($0.offset)", $0.element) }
    )
    fields["nan"] = .double(.nan)
    fields["infinite"] = .double(-.infinity)
    fields["small"] = .double(.leastNonzeroMagnitude)
    fields["integer"] = .integer(.max)
    fields["bytes"] = .bytes(Data([0, 255, 10]))
    fields["a.b`c"] = .map(["": .array([.map(["deep": .null])])])
    fields["time"] = .timestamp(Timestamp(seconds: -62_135_596_800, nanoseconds: 1_000))
    return fields
  }

  static func event(
    _ kind: EventType.Kind = .updated,
    path: String = "notes/n1",
    isAuthenticated: Bool = false
  ) throws -> DocumentEvent {
    DocumentEvent(
      id: "8f0c3a52-e",
      type: EventType(kind, hasAuthContext: isAuthenticated),
      document: try name(path),
      time: Timestamp(seconds: 1_700_000_001, nanoseconds: 250_000_000),
      value: kind == .deleted ? nil : try document(everyType, at: path),
      oldValue: kind == .created ? nil : try document(["text": "before"], at: path),
      updateMask: kind == .updated ? [FieldPath("text"), FieldPath("a.b`c", "x-y")] : [],
      authContext: isAuthenticated ? .init(type: "app_user", id: "päul o'\"%") : nil,
      traceparent: "00-11111111111111111111111111111111-2222222222222222-01"
    )
  }
}

/// Returns a POST request with these header fields and this body.
func request(_ headers: [String: String], _ body: Data) -> ServiceRequest {
  ServiceRequest(method: "POST", path: ["events"], headers: headers, body: body)
}

/// Returns the header fields of a complete event in binary mode.
func binary(_ contentType: String, _ more: [String: String] = [:]) -> [String: String] {
  [
    "content-type": contentType, "ce-specversion": "1.0", "ce-id": "e1", "ce-source": "//s",
    "ce-type": "google.cloud.firestore.document.v1.created",
  ].merging(more) { _, new in new }
}

/// Returns the error for an invalid event, or `nil` if the event is valid.
func refusal(_ headers: [String: String], _ body: Data) -> StatusError? {
  statusError { try received(headers, body).documentEvent() }
}

/// Reads a request as an event, and returns it as a CloudEvent.
func received(_ headers: [String: String], _ body: Data) throws -> CloudEvent {
  try ReceivedEvent(request(headers, body)).cloudEvent()
}

/// Reads a request as an event, and returns its change of a document, or `nil` if it has none.
func read(_ headers: [String: String], _ body: Data) throws -> DocumentEvent? {
  try received(headers, body).documentEvent()
}

extension CloudEvent {
  /// Returns the event's change of a document, or `nil` if it has none.
  fileprivate func documentEvent() throws(StatusError) -> DocumentEvent? {
    guard case .document(let event)? = try changeEvent() else { return nil }
    return event
  }
}

extension EventMessage {
  init(_ event: DocumentEvent, as form: Form) throws(StatusError) {
    try self.init(.document(event), as: form)
  }
}

/// Returns a protobuf field with content of fewer than 128 bytes.
func field(_ number: UInt8, _ content: Data) -> Data {
  Data([number << 3 | 2, UInt8(content.count)]) + content
}
