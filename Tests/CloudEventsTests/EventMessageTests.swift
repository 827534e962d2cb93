import CloudEvents
import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

/// Events as header fields and bodies of HTTP messages.
struct EventMessageTests {
  private func headers(_ message: EventMessage) -> [String: String] {
    Dictionary(message.headers.map { ($0.name, $0.value) }) { first, _ in first }
  }

  @Test(
    arguments: [EventMessage.Form.protobuf, .json, .structured, .base64Protobuf],
    [EventType.Kind.created, .updated, .deleted]
  )
  func `an event in any form is read back as it was`(
    form: EventMessage.Form,
    kind: EventType.Kind
  ) throws {
    for isAuthenticated in [false, true] {
      let event = try EventFixtures.event(kind, isAuthenticated: isAuthenticated)
      let message = try EventMessage(event, as: form)
      #expect(try read(headers(message), message.body) == event)
    }
  }

  @Test(arguments: [EventType.Kind.created, .updated, .deleted, .written])
  func `a first-generation event has everything but caller and trace`(
    kind: EventType.Kind
  ) throws {
    var event = try EventFixtures.event(kind, isAuthenticated: true)
    let message = try EventMessage(event, as: .firstGeneration)
    event.type.hasAuthContext = false
    event.authContext = nil
    event.traceparent = nil
    #expect(try read(headers(message), message.body) == event)

    let body = try JSONValue(parsing: message.body)
    #expect(body.at("context.resource.name") == .string("\(event.document)"))
    #expect(body.at("context.resource.service") == .string("firestore.googleapis.com"))
    let action = kind == .written ? "write" : String(kind.rawValue.dropLast())
    #expect(
      body.at("context.eventType")
        == .string("providers/cloud.firestore/eventTypes/document.\(action)")
    )
    #expect(body.at("data.updateMask")?.object != nil)
  }

  @Test(arguments: [
    EventMessage.Form.protobuf, .json, .structured, .base64Protobuf, .firstGeneration,
  ])
  func `an object's event in any form is read back as it was`(form: EventMessage.Form) throws {
    let name = "n o/tè\"%st/x~/😀#17/e\u{301}"
    var event = ObjectEvent(
      id: "8f0c3a52-e",
      type: EventType(.metadataUpdated, of: .object),
      bucket: "demo.appspot.com",
      name: name,
      time: Timestamp(seconds: 1_700_000_001, nanoseconds: 250_000_000),
      data: [
        "kind": .string("storage#object"), "bucket": .string("demo.appspot.com"),
        "name": .string(name), "size": .string("9007199254740993"),
        "unknown": .object(["n": .integer(.max)]),
      ],
      traceparent: "00-11111111111111111111111111111111-2222222222222222-01"
    )
    let message = try EventMessage(.object(event), as: form)
    let found = headers(message)
    switch form {
    case .structured, .firstGeneration: #expect(!found.keys.contains { $0.hasPrefix("ce-") })
    default:
      #expect(found["content-type"] == "application/json")
      #expect(found["ce-bucket"] == "demo.appspot.com")
      #expect(
        found["ce-subject"]
          == "objects/n%20o/t%C3%A8%22%25st/x~/%F0%9F%98%80#17/e%CC%81"
      )
    }
    if form == .firstGeneration {
      event.traceparent = nil
      let body = try JSONValue(parsing: message.body)
      #expect(body.at("context.resource.name") == .string(event.resource))
      #expect(body.at("context.resource.service") == .string("storage.googleapis.com"))
      #expect(body.at("context.resource.type") == .string("storage#object"))
      #expect(body.at("context.eventType") == .string("google.storage.object.metadataUpdate"))
    }
    let read = try received(found, message.body).changeEvent()
    #expect(read == .object(event))
  }

  @Test func `attributes become headers, percent-encoded where they aren't printable ASCII`() throws
  {
    let event = try EventFixtures.event(.created, path: "n o/tè\"%st/x~/😀")
    let found = headers(try EventMessage(event, as: .protobuf))
    let path = "n%20o/t%C3%A8%22%25st/x~/%F0%9F%98%80"
    #expect(
      found == [
        "content-type": "application/protobuf",
        "ce-specversion": "1.0",
        "ce-id": "8f0c3a52-e",
        "ce-type": "google.cloud.firestore.document.v1.created",
        "ce-source": "//firestore.googleapis.com/projects/demo-p/databases/(default)",
        "ce-subject": "documents/\(path)",
        "ce-time": "2023-11-14T22:13:21.250Z",
        "ce-dataschema":
          "https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto",
        "ce-location": "us-central1",
        "ce-project": "demo-p",
        "ce-database": "(default)",
        "ce-namespace": "(default)",
        "ce-document": path,
        "ce-traceparent": "00-11111111111111111111111111111111-2222222222222222-01",
      ]
    )
  }

  @Test func `protobuf uses the field numbers of Google's message`() throws {
    let name = Data("projects/demo-p/databases/(default)/documents/notes/n1".utf8)
    var event = try EventFixtures.event(.updated)
    for document in [\DocumentEvent.value, \.oldValue] {
      event[keyPath: document]?.fields = [:]
      event[keyPath: document]?.createTime = nil
      event[keyPath: document]?.updateTime = nil
    }
    event.updateMask = [FieldPath("a")]
    let document = field(1, name)
    let mask = field(1, Data("a".utf8))
    #expect(
      try EventMessage(event, as: .protobuf).body
        == field(1, document) + field(2, document) + field(3, mask)
    )
  }
}
