import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

struct FunctionManifestTests {
  private static let messages = "conversations/{conversationId}/messages/{messageId}"

  private static let manifest = FunctionManifest(
    name: "greet",
    triggers: [
      .init(eventType: EventType(.created), document: messages),
      .init(eventType: EventType(.updated), document: messages, fields: [FieldPath("text")]),
      .init(eventType: EventType(.written), document: "users/{uid}"),
    ]
  )

  private func event(
    _ kind: EventType.Kind,
    at path: String,
    value: Fields?,
    old: Fields? = nil,
    mask: [FieldPath] = []
  ) throws -> ChangeEvent {
    let name = try DocumentName("projects/p/databases/(default)/documents/\(path)")
    return .document(
      DocumentEvent(
        id: "e",
        type: EventType(kind),
        document: name,
        time: Timestamp(seconds: 0),
        value: value.map { Document(name: name, fields: $0) },
        oldValue: old.map { Document(name: name, fields: $0) },
        updateMask: mask
      )
    )
  }

  @Test func `a trigger matches its kind of change at its path and captures the variables`() throws
  {
    let match = try Self.manifest.match(
      event(.created, at: "conversations/c1/messages/m1", value: [:])
    )
    #expect(
      match
        == .taken(
          Self.manifest.triggers[0],
          captures: ["conversationId": "c1", "messageId": "m1"]
        )
    )
  }

  @Test(arguments: [EventType.Kind.created, .updated, .deleted, .written])
  func `a trigger on written matches every change`(kind: EventType.Kind) throws {
    let deleted = kind == .deleted
    let event = try event(
      kind,
      at: "users/u1",
      value: deleted ? nil : [:],
      old: deleted ? [:] : nil
    )
    #expect(
      try Self.manifest.match(event)
        == .taken(Self.manifest.triggers[2], captures: ["uid": "u1"])
    )
  }

  @Test(arguments: [
    ("conversations/c1", "the document is not at users/{uid}"),
    ("conversations/c1/messages/m1/parts/p1", "the document is not at users/{uid}"),
    ("chats/c1/messages/m1", "the document is not at users/{uid}"),
  ])
  func `another path is refused with the pattern`(path: String, reason: String) throws {
    #expect(
      try Self.manifest.match(event(.created, at: path, value: [:])) == .refused(reason: reason)
    )
  }

  @Test func `a kind of change without a trigger is refused by name`() throws {
    let manifest = FunctionManifest(
      name: "greet",
      triggers: [.init(eventType: EventType(.created), document: Self.messages)]
    )
    for kind in [EventType.Kind.updated, .deleted] {
      let event = try event(
        kind,
        at: "conversations/c1/messages/m1",
        value: kind == .updated ? [:] : nil,
        old: [:]
      )
      #expect(
        try manifest.match(event)
          == .refused(reason: "greet does not handle \(kind.rawValue) documents")
      )
    }
    #expect(
      try FunctionManifest(name: "greet").match(event(.created, at: "a/b", value: [:]))
        == .refused(reason: "greet does not handle created documents")
    )
  }

  struct Update: Sendable {
    var old: Fields?
    var new: Fields
    var mask: [FieldPath] = []
    var isTaken: Bool
  }

  @Test(arguments: [
    Update(old: ["text": "a"], new: ["text": "b"], isTaken: true),
    Update(old: [:], new: ["text": "b"], isTaken: true),
    Update(old: ["text": "a"], new: [:], isTaken: true),
    Update(old: ["text": "a"], new: ["text": 1], isTaken: true),
    Update(old: ["text": "a"], new: ["text": "a", "readBy": ["u"]], isTaken: false),
    // The comparison of the documents takes precedence over the mask, which Google's emulator
    // leaves empty.
    Update(
      old: ["text": "a"],
      new: ["text": "a", "status": "read"],
      mask: [FieldPath("status")],
      isTaken: false
    ),
    Update(old: ["text": "a"], new: ["text": "b"], mask: [FieldPath("status")], isTaken: true),
    // If the event doesn't contain the old document, the mask decides.
    Update(old: nil, new: ["text": "b"], mask: [FieldPath("text")], isTaken: true),
    Update(old: nil, new: ["text": "b"], mask: [FieldPath("text", "x")], isTaken: true),
    Update(old: nil, new: ["text": "b"], mask: [FieldPath("status")], isTaken: false),
    Update(old: nil, new: ["text": "b"], mask: [], isTaken: true),
  ])
  func `an update matches if one of the trigger's fields changed`(update: Update) throws {
    let match = try Self.manifest.match(
      event(
        .updated,
        at: "conversations/c1/messages/m1",
        value: update.new,
        old: update.old,
        mask: update.mask
      )
    )
    let taken = FunctionManifest.Match.taken(
      Self.manifest.triggers[1],
      captures: ["conversationId": "c1", "messageId": "m1"]
    )
    if update.isTaken {
      #expect(match == taken)
    } else {
      #expect(match == .refused(reason: "the update did not change text"))
    }
  }

  @Test func `an update that changed none of the fields names them`() throws {
    var manifest = Self.manifest
    manifest.triggers.removeLast()
    manifest.triggers[1].fields = [FieldPath("text"), FieldPath("a", "b-c")]
    let event = try event(
      .updated,
      at: "conversations/c1/messages/m1",
      value: ["text": "a", "status": "read"],
      old: ["text": "a"]
    )
    #expect(
      try manifest.match(event)
        == .refused(reason: "the update did not change text, a.`b-c`")
    )
  }

  @Test func `a trigger is for one database, the default one unless it names another`() throws {
    let manifest = try decode(
      FunctionManifest.self,
      """
      {"contract":1,"name":"greet","triggers":[\
      {"eventType":"google.cloud.firestore.document.v1.created","document":"a/{b}"},\
      {"eventType":"google.cloud.firestore.document.v1.created","document":"a/{b}",\
      "database":"other"}]}
      """
    )
    func bound(_ project: String, _ database: String) -> [String?] {
      let name = DatabaseName(project: project, database: database)
      return manifest.triggers.filter { $0.isBound(to: name) }.map(\.database)
    }
    #expect(bound("p", "(default)") == [nil])
    #expect(bound("q", "other") == ["other"])
    #expect(bound("p", "third") == [])
  }

  @Test(arguments: [
    "google.firebase.auth.user.v1.created", "providers/firebase.auth/eventTypes/user.create",
  ])
  func `events of Authentication are refused by name`(type: String) throws {
    let json = #"{"contract":1,"name":"greet","triggers":[{"eventType":"\#(type)"}]}"#
    let error = #expect(throws: StatusError.self) { try decode(FunctionManifest.self, json) }
    #expect(error?.message.contains("an event of Authentication, which functions") == true)
  }

  @Test func `a trigger registered for a project is for that project alone`() throws {
    let trigger = FunctionManifest.Trigger(
      eventType: EventType(.created),
      document: "a/{b}",
      project: "p"
    )
    #expect(trigger.isBound(to: DatabaseName(project: "p")))
    #expect(!trigger.isBound(to: DatabaseName(project: "q")))
  }

  @Test func `a script's manifest needs only contract and name`() throws {
    let manifest = try decode(FunctionManifest.self, #"{"contract":1,"name":"greet","new":{}}"#)
    var expected = FunctionManifest(name: "greet")
    expected.worker = false
    #expect(manifest == expected)
  }

  @Test(arguments: [
    #"{"name":"greet"}"#, #"{"contract":1}"#, "[]", #"{"contract":"1","name":"g"}"#,
  ])
  func `a manifest without contract or name is refused`(body: String) {
    #expect(statusError { try decode(FunctionManifest.self, body) }?.code == .invalidArgument)
  }

  @Test func `an encoded manifest is read back as it was`() throws {
    var manifest = Self.manifest
    manifest.environment = [.init("KEY", required: true)]
    #expect(try decode(FunctionManifest.self, text(manifest)) == manifest)
  }
}
