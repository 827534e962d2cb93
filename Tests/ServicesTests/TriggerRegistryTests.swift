import CloudEvents
import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import HTTPClient
import HTTPService
import Services
import TestKit
import Testing

/// Triggers that other functions emulators register at this Firestore, with Google's routes.
@Suite(.timeLimit(.minutes(10)))
struct TriggerRegistryTests {
  private static let first = """
    {"eventTrigger":{"resource":"projects/demo-p/databases/(default)/documents/notes/{id}",\
    "eventType":"providers/cloud.firestore/eventTypes/document.update",\
    "service":"firestore.googleapis.com"}}
    """
  private static let second = """
    {"eventType":"google.cloud.firestore.document.v1.updated","database":"(default)",\
    "namespace":"(default)","document":{"value":"notes/{id}","matchType":"PATH_PATTERN"}}
    """

  private func request(
    _ method: String,
    _ path: String,
    key: String? = nil,
    _ body: String = ""
  ) -> ServiceRequest {
    ServiceRequest(
      method: method,
      path: ["emulator", "v1", "projects", "demo-p"] + path.split(separator: "/").map(String.init),
      query: key.map { [("eventarcTriggerId", $0)] } ?? [],
      body: Data(body.utf8)
    )
  }

  private func address(_ server: LoopbackServer) -> String { "127.0.0.1:\(server.port)" }

  @Test func `a trigger of the first generation gets a background event`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200, #"{"status":"acknowledged"}"#)])
    defer { server.stop() }
    try await withFunctions { functions in
      let registry = functions.registry(of: address(server))
      let key = "us-central1-note 1-0"
      let answer = try await registry.respond(
        to: ServiceRequest(
          method: "PUT",
          path: ["emulator", "v1", "projects", "demo-p", "triggers", key],
          body: Data(Self.first.utf8)
        )
      )
      #expect(answer.status == 200)
      let event = try change(.updated)
      let ids = try await functions.dispatcher.enqueue(event)
      await functions.dispatcher.ended(ids)
      #expect(ids.compactMap(functions.dispatcher.delivery).map(\.state) == [.succeeded])

      let sent = try #require(server.requests.first)
      #expect(sent.target == "/functions/projects/demo-p/triggers/us-central1-note%201-0")
      #expect(sent.body == (try EventMessage(event, as: .firstGeneration)).body)
    }
  }

  @Test func `a trigger of the second generation gets protobuf as text`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200)])
    defer { server.stop() }
    try await withFunctions { functions in
      let registry = functions.registry(of: address(server))
      _ = try await registry.respond(
        to: request("POST", "eventarcTrigger", key: "k", Self.second)
      )
      let event = try change(.updated)
      let ids = try await functions.dispatcher.enqueue(event)
      await functions.dispatcher.ended(ids)
      let sent = try #require(server.requests.first)
      #expect(sent.target == "/functions/projects/demo-p/triggers/k")
      #expect(sent.headers["content-type"] == "application/protobuf")
      #expect(sent.headers["ce-type"] == "google.cloud.firestore.document.v1.updated")
      #expect(sent.body == (try EventMessage(event, as: .base64Protobuf)).body)
    }
  }

  @Test func `a trigger gets only its own kind, path, database and project`() async throws {
    try await withFunctions { functions in
      let registry = functions.registry(of: "127.0.0.1:1")
      _ = try await registry.respond(
        to: request("POST", "eventarcTrigger", key: "k", Self.second)
      )
      let others = [
        try change(.created), try change(.updated, of: "letters/l1"),
        try change(.updated, in: DatabaseName(project: "demo-p", database: "other")),
        try change(.updated, in: DatabaseName(project: "demo-q")),
      ]
      for event in others {
        #expect(try await functions.dispatcher.enqueue(event) == [])
      }
      #expect(try await functions.dispatcher.enqueue(change(.updated)).count == 1)
    }
  }

  @Test func `a repeated key replaces its trigger, and a deleted key's gets nothing`() async throws
  {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200)])
    defer { server.stop() }
    try await withFunctions { functions in
      let registry = functions.registry(of: address(server))
      _ = try await registry.respond(to: request("PUT", "triggers/k", Self.first))
      _ = try await registry.respond(
        to: request("POST", "eventarcTrigger", key: "k", Self.second)
      )
      let ids = try await functions.dispatcher.enqueue(change(.updated))
      await functions.dispatcher.ended(ids)
      #expect(ids.count == 1)
      #expect(server.requests.first?.headers["ce-id"] == "event")

      _ = try await registry.respond(to: request("DELETE", "triggers/k"))
      #expect(try await functions.dispatcher.enqueue(change(.updated)) == [])
    }
  }

  @Test func `a failed event is not sent again, as no retry was requested`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(500)])
    defer { server.stop() }
    try await withFunctions { functions in
      let registry = functions.registry(of: address(server))
      _ = try await registry.respond(
        to: request("POST", "eventarcTrigger", key: "k", Self.second)
      )
      let ids = try await functions.dispatcher.enqueue(change(.updated))
      await functions.dispatcher.ended(ids)
      #expect(ids.compactMap(functions.dispatcher.delivery).map(\.state) == [.deadLettered])
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [
    ("{}", "eventTrigger"), ("[]", "the wrong type"), ("", "empty"),
    (first.replacing("document.update", with: "document.read"), "eventType"),
    (first.replacing("providers/", with: ""), "eventType"),
    (first.replacing("firestore.googleapis.com", with: "pubsub.googleapis.com"), "service"),
    (first.replacing("projects/demo-p", with: "projects/demo-q"), "resource"),
    (first.replacing("/notes/{id}", with: ""), "resource"),
    (first.replacing("(default)", with: "other"), "only the database"),
    (first.replacing("notes/{id}", with: "notes"), "names a collection"),
    (first.replacing("notes/{id}", with: "notes//n"), "empty segment"),
    (first.replacing("notes/{id}", with: "notes/*"), "no bare stars"),
    (first.replacing("notes/{id}", with: "notes/{id"), "unmatched brace"),
  ])
  func `an invalid trigger of the first generation is refused`(
    body: String,
    message: String
  ) async throws {
    try await refuses(request("PUT", "triggers/k", body), message)
  }

  @Test(arguments: [
    ("{}", "eventType"), ("", "empty"),
    (second.replacing("v1.updated", with: "v1.read"), "eventType"),
    (second.replacing(#""namespace":"(default)""#, with: #""namespace":"n""#), "namespace"),
    (second.replacing("PATH_PATTERN", with: "REGEX"), "matchType"),
    (second.replacing("notes/{id}", with: "notes/{id}/pages"), "names a collection"),
  ])
  func `an invalid trigger of the second generation is refused`(
    body: String,
    message: String
  ) async throws {
    try await refuses(request("POST", "eventarcTrigger", key: "k", body), message)
  }

  @Test func `a trigger without a key is refused`() async throws {
    try await refuses(request("POST", "eventarcTrigger", Self.second), "eventarcTriggerId")
    try await refuses(request("POST", "eventarcTrigger", key: "", Self.second), "eventarcTriggerId")
  }

  private func refuses(_ request: ServiceRequest, _ message: String) async throws {
    try await withFunctions { functions in
      let registry = functions.registry(of: "127.0.0.1:1")
      let error = await #expect(throws: StatusError.self) {
        try await registry.respond(to: request)
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
    }
  }

  @Test func `EXACT is a path, and one that looks like a pattern is refused`() async throws {
    try await withFunctions { functions in
      let registry = functions.registry(of: "127.0.0.1:1")
      let exact = Self.second.replacing("PATH_PATTERN", with: "EXACT")
      let error = await #expect(throws: StatusError.self) {
        try await registry.respond(to: request("POST", "eventarcTrigger", key: "k", exact))
      }
      #expect(error?.code == .unimplemented)
      _ = try await registry.respond(
        to: request("POST", "eventarcTrigger", key: "k", exact.replacing("{id}", with: "n1"))
      )
      #expect(try await functions.dispatcher.enqueue(change(.updated)).count == 1)
      #expect(try await functions.dispatcher.enqueue(change(.updated, of: "notes/n2")) == [])
    }
  }

  @Test func `without a functions emulator a trigger is refused`() async throws {
    try await withFunctions { functions in
      let registry = functions.registry(of: nil)
      let error = await #expect(throws: StatusError.self) {
        try await registry.respond(to: request("PUT", "triggers/k", Self.first))
      }
      #expect(error?.code == .failedPrecondition)
      #expect(error?.message.contains("--functions-emulator") == true)
    }
  }
}
