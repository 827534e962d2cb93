import Core
import FirestoreModel
import FunctionHost
import Synchronization
import TestKit
import Testing

/// A conversation in a new project, events of its changes, and workers that handle the events.
struct NotificationScene {
  static let conversation = "conversations/c"

  let emulator: EmulatorProcess
  let project: String
  let environment: [String: String]

  init(_ changes: [String: String] = [:]) throws {
    emulator = try sharedEmulator()
    project = "demo-\(UUID().uuidString.lowercased())"
    environment = try emulator.environment(project: project).merging(changes) { $1 }
  }

  private init(_ scene: NotificationScene, _ changes: [String: String]) {
    emulator = scene.emulator
    project = scene.project
    environment = scene.environment.merging(changes) { $1 }
  }

  /// Returns the same scene with other environment variables for its functions.
  func with(_ changes: [String: String]) -> NotificationScene { NotificationScene(self, changes) }

  // MARK: Documents

  /// Writes a group whose members read English and have the given number of devices each.
  func writePeople(_ uids: [String], devices: Int = 1) async throws {
    var documents: JSONObject = [
      ByteKey(Self.conversation): .object([
        "type": .string("group"), "name": .string("Trip"),
        "participants": .array(uids.map(JSONValue.string)),
      ])
    ]
    for uid in uids {
      documents["users/\(uid)"] = .object([
        "displayName": .string(uid), "primaryLanguage": .string("en"),
      ])
      for device in 0..<devices {
        documents["users/\(uid)/devices/d\(device)"] = .object([
          "fcmToken": .string("\(uid)-\(device)")
        ])
      }
    }
    try await emulator.write(.object(documents), project: project)
  }

  func write(_ documents: String) async throws {
    try await emulator.write(documents, project: project)
  }

  static func path(_ id: String) -> String { "\(conversation)/messages/\(id)" }

  /// Returns a message's fields.
  static func message(
    from sender: String = "sarah",
    _ text: String = "Hello",
    minute: Int = 0,
    readBy: [String] = []
  ) -> JSONObject {
    [
      "senderId": .string(sender), "text": .string(text), "language": .string("en"),
      "readBy": .array(readBy.map(JSONValue.string)),
      "timestamp": .object([
        "timestampValue": .string("\(Timestamp(seconds: 1_760_000_000 + Int64(minute) * 60))")
      ]),
    ]
  }

  /// Writes messages in one commit.
  func write(_ messages: [String: JSONObject]) async throws {
    let documents = messages.map { (Self.path($0), JSONValue.object($1)) }
    try await emulator.write(
      .object(JSONObject(documents)),
      project: project
    )
  }

  /// Sets the conversation's members and keeps its other fields.
  func writeMembers(_ uids: [String]) async throws {
    let answer = try await emulator.request(
      "PATCH",
      "firestore",
      emulator.documents(
        "/\(Self.conversation)?updateMask.fieldPaths=participants",
        project: project
      ),
      json: JSONValue.object(["fields": JSONValue.object(Self.members(uids)).firestoreFields]).text
    )
    #expect(answer.status == 200)
  }

  func delete(_ path: String) async throws {
    let answer = try await emulator.request(
      "DELETE",
      "firestore",
      emulator.documents("/\(path)", project: project)
    )
    #expect(answer.status == 200)
  }

  func fields(_ path: String) async throws -> JSONValue? {
    try await emulator.fields(of: path, project: project)
  }

  /// Returns a member's unread count, or `nil` if the member has none.
  func unread(_ uid: String) async throws -> Int? {
    try await fields("users/\(uid)/inbox/c")?["unread"]?.integer
  }

  // MARK: Pushes

  /// A received push: the phone's token, whether the push is silent, and the number on the app's
  /// icon.
  struct Push: Equatable {
    var token: String
    var isSilent: Bool
    var badge: Int?
  }

  func pushes() async throws -> [Push] {
    try await emulator.pushes(project: project).map { push in
      Push(
        token: push["token"]?.string ?? "",
        isSilent: push.at("message.data.type") == .string("badge"),
        badge: push.at("message.apns.payload.aps.badge")?.integer
      )
    }
  }

  /// Returns the tokens of the phones that got a push with a text, sorted.
  func rung() async throws -> [String] {
    try await pushes().filter { !$0.isSilent }.map(\.token).sorted()
  }

  /// Returns the silent pushes in order of arrival.
  func told() async throws -> [Push] { try await pushes().filter(\.isSilent) }

  // MARK: Events

  func created(_ id: String, _ fields: JSONObject) -> String {
    event("created", Self.path(id), value: fields)
  }

  func updated(
    _ id: String,
    from old: JSONObject,
    to new: JSONObject
  ) -> String {
    event("updated", Self.path(id), value: new, oldValue: old)
  }

  func deleted(_ id: String, _ fields: JSONObject) -> String {
    event("deleted", Self.path(id), oldValue: fields)
  }

  /// Returns the event of a document's update.
  func updated(path: String, from old: JSONObject, to new: JSONObject) -> String {
    event("updated", path, value: new, oldValue: old)
  }

  /// Returns the event of a document's creation, with the document as it is stored.
  func registered(_ path: String) async throws -> String {
    let answer = try await emulator.request(
      "GET",
      "firestore",
      emulator.documents("/\(path)", project: project)
    )
    #expect(answer.status == 200)
    return event("created", path, of: ["value": answer.json])
  }

  /// Returns the event of an update of the conversation's fields.
  func changed(from old: JSONObject, to new: JSONObject) -> String {
    event("updated", Self.conversation, value: new, oldValue: old)
  }

  /// Returns the event of an update of the conversation's members.
  func changed(from old: [String], to new: [String]) -> String {
    changed(from: Self.members(old), to: Self.members(new))
  }

  /// Returns the event of the conversation's deletion.
  ///
  /// - Parameter members: the members before the deletion.
  func ended(with members: [String]) -> String {
    event("deleted", Self.conversation, oldValue: Self.members(members))
  }

  private static func members(_ uids: [String]) -> JSONObject {
    ["participants": .array(uids.map(JSONValue.string))]
  }

  private func event(
    _ kind: String,
    _ path: String,
    value: JSONObject? = nil,
    oldValue: JSONObject? = nil
  ) -> String {
    let now = JSONValue.string("\(Timestamp.now)")
    let document = { (fields: JSONObject?) -> JSONValue in
      guard let fields else { return .object([:]) }
      return .object([
        "name": .string(emulator.name(path, project: project)),
        "fields": JSONValue.object(fields).firestoreFields, "createTime": now, "updateTime": now,
      ])
    }
    return event(kind, path, of: ["value": document(value), "oldValue": document(oldValue)])
  }

  private func event(_ kind: String, _ path: String, of data: JSONObject) -> String {
    JSONValue.object([
      "specversion": .string("1.0"), "id": .string(UUID().uuidString),
      "time": .string("\(Timestamp.now)"),
      "source": .string("//firestore.googleapis.com/projects/\(project)/databases/(default)"),
      "type": .string("google.cloud.firestore.document.v1.\(kind)"),
      "subject": .string("documents/\(path)"), "document": .string(path),
      "project": .string(project), "database": .string("(default)"),
      "data": .object(data),
    ]).text
  }

  // MARK: Deliveries

  /// Sends an event to a worker, and kills the worker when FCM has received a push but not
  /// answered.
  func deliverAndKill(_ event: String) async throws {
    let server = try LoopbackServer { _, connection in connection.stall() }
    defer { server.stop() }
    let worker = try await WorkerSession(
      "sendNotification",
      environment: with(["FCM_BASE_URL": server.url(""), "LEASE_SECONDS": "2"]).environment
    )
    try await worker.send(event)
    await server.wait(for: .requested)
    worker.process.signal(SIGKILL)
    _ = await worker.process.exitStatus()
  }

  /// Delivers events to workers, each of which takes the next event when it has finished one.
  ///
  /// - Parameters:
  ///   - workers: the number of workers. They end when all events are handled.
  ///   - secondsLeft: the time between an event's delivery and its deadline.
  /// - Returns: the results of each worker in order, one worker after the other.
  @discardableResult
  func deliver(
    _ events: [String],
    workers: Int = 1,
    secondsLeft: Int = 60
  ) async throws -> [JSONValue] {
    let queue = EventQueue(events)
    let environment = environment
    return try await withThrowingTaskGroup(of: [JSONValue].self) { group in
      for _ in 0..<workers {
        group.addTask {
          let worker = try await WorkerSession("sendNotification", environment: environment)
          var results: [JSONValue] = []
          while let event = queue.next() {
            let deadline = Timestamp.now.advanced(by: .seconds(secondsLeft))
            try await worker.send(
              #"{"event":\#(event),"invocation":{"id":"i","deadline":"\#(deadline)"}}"#
            )
            results.append(try #require(try await worker.nextResult()))
          }
          #expect(await worker.end() == .exited(0))
          return results
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}

private final class EventQueue: Sendable {
  private let events: Mutex<ArraySlice<String>>

  init(_ events: [String]) { self.events = Mutex(events[...]) }

  func next() -> String? { events.withLock { $0.popFirst() } }
}

extension [JSONValue] {
  var statuses: [String] { compactMap { $0["status"]?.string } }

  /// Returns the number of times that the results report a write of the document.
  func writeCount(of path: String) -> Int {
    reduce(0) { count, result in
      count + (result["writes"]?.array ?? []).count { $0["document"] == .string(path) }
    }
  }
}

extension JSONObject {
  /// Returns the message's fields with some fields replaced.
  func with(_ members: JSONObject) -> JSONObject { merging(members) { $1 } }

  func read(by uids: [String]) -> JSONObject {
    with(["readBy": .array(uids.map(JSONValue.string))])
  }
}
