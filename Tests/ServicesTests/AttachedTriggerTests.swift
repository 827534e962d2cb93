import CloudEvents
import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import HTTPService
import Services
import TestKit
import Testing

/// Events that Google's emulator posts for triggers of this package's functions.
@Suite(.timeLimit(.minutes(10)))
struct AttachedTriggerTests {
  private static let manifest = """
    {"contract":1,"name":"probe","triggers":[\
    {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"},\
    {"eventType":"google.cloud.firestore.document.v1.written","document":"notes/{id}",\
    "fields":["text"]}]}
    """

  private func path(_ key: String) -> [String] {
    ["functions", "projects", "demo-p", "triggers", key]
  }

  /// Posts an event, and returns the deliveries that it caused.
  private func post(
    _ event: ChangeEvent,
    as form: EventMessage.Form = .base64Protobuf,
    to key: String,
    of functions: Functions
  ) async throws -> [Delivery] {
    let message = try EventMessage(event, as: form)
    let answer = try await functions.service.respond(to: message.request(to: path(key)))
    #expect(answer.status == 200)
    let deliveries = try JSONValue(parsing: answer.body)["deliveries"]?.array ?? []
    let ids = deliveries.compactMap { $0["id"]?.string }
    await functions.dispatcher.ended(ids)
    return ids.compactMap(functions.dispatcher.delivery)
  }

  @Test(arguments: [EventMessage.Form.base64Protobuf, .protobuf, .firstGeneration])
  func `an event reaches the function with the commit's time and the changed fields`(
    form: EventMessage.Form
  ) async throws {
    try await withFunctions(Self.manifest) { functions in
      let deliveries = try await post(change(.updated), as: form, to: "probe-1", of: functions)
      let delivery = try #require(deliveries.first)
      #expect(deliveries.count == 1)
      #expect(delivery.state == .succeeded)
      guard case .document(let event) = delivery.event else {
        throw StatusError(.internal, "no document")
      }
      #expect(event.updateMask == [FieldPath("text")])
      #expect(event.time == event.value?.updateTime)
    }
  }

  @Test func `a change that two of its triggers take is delivered once`() async throws {
    try await withFunctions(Self.manifest) { functions in
      let created = try await post(change(.created), to: "probe-0", of: functions)
      #expect(created.count == 1)
      var written = try change(.created)
      written.type = EventType(.written)
      #expect(try await post(written, to: "probe-1", of: functions).isEmpty)
    }
  }

  @Test func `an event that production wouldn't send is accepted and not delivered`() async throws {
    try await withFunctions(Self.manifest) { functions in
      let same = try change(.updated, value: ["text": "t"], oldValue: ["text": "t"])
      #expect(try await post(same, to: "probe-1", of: functions).isEmpty)
      let other = try change(.updated, value: ["n": 1], oldValue: [:])
      #expect(try await post(other, to: "probe-1", of: functions).isEmpty)

      let message = try EventMessage(change(.created), as: .base64Protobuf)
      var empty = message.request(to: path("probe-0"))
      empty.body = Data("GgA=".utf8)
      #expect(try await functions.service.respond(to: empty).status == 200)
      #expect(functions.dispatcher.deliveries.isEmpty)
    }
  }

  @Test func `a path that Google's emulator left unencoded is accepted on its route alone`()
    async throws
  {
    try await withFunctions(Self.manifest) { functions in
      var request = try EventMessage(change(.created), as: .base64Protobuf)
        .request(to: path("probe-0"))
      request.headers["ce-subject"] = "documents/notes/100% tè"
      request.headers["ce-document"] = "notes/100% tè"
      #expect(try await functions.service.respond(to: request).status == 200)
      #expect(functions.dispatcher.deliveries.count == 1)
      request.path = ["events"]
      let other = request
      let error = await #expect(throws: StatusError.self) {
        try await functions.service.respond(to: other)
      }
      #expect(error?.message.contains("is not percent-encoded UTF-8") == true)
    }
  }

  @Test(arguments: [
    (#"{"specversion":"1.0","id":"e","source":"s","type":"other","data":{}}"#, "no function takes"),
    (#"{"id":"e","source":"s","type":"other","data":{}}"#, "has no specversion"),
  ])
  func `an event that no function takes is refused by the pipeline's route`(
    body: String,
    reason: String
  ) async throws {
    try await withFunctions(Self.manifest) { functions in
      let request = ServiceRequest(method: "POST", path: ["events"], body: Data(body.utf8))
      let error = await #expect(throws: StatusError.self) {
        try await functions.service.respond(to: request)
      }
      #expect(error?.message.contains(reason) == true)
    }
  }

  @Test(arguments: ["probe", "probe-2", "probe--1", "nobody-0", "-0", "probe-0x"])
  func `a key that is no trigger's is refused`(key: String) async throws {
    try await withFunctions(Self.manifest) { functions in
      let request = try EventMessage(change(.created), as: .json).request(to: path(key))
      let error = await #expect(throws: StatusError.self) {
        try await functions.service.respond(to: request)
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test(arguments: ["", "{}", #"{"data":{}}"#, #"{"specversion":"1.0","id":"e"}"#])
  func `an invalid event is refused`(body: String) async throws {
    try await withFunctions(Self.manifest) { functions in
      let request = ServiceRequest(method: "POST", path: path("probe-0"), body: Data(body.utf8))
      let error = await #expect(throws: StatusError.self) {
        try await functions.service.respond(to: request)
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test func `the pipeline's route takes events in every form`() async throws {
    try await withFunctions(Self.manifest) { functions in
      for form in EventMessage.Form.allCases {
        var request = try EventMessage(change(.created), as: form).request(to: ["events"])
        request.query = [("wait", "true")]
        let answer = try await functions.service.respond(to: request)
        #expect(answer.status == 200)
        let body = try JSONValue(parsing: answer.body)
        #expect(body.at("deliveries.0.state") == .string("succeeded"))
      }
    }
  }
}
