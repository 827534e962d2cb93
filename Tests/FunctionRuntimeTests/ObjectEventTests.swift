import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

/// Events of Cloud Storage.
struct ObjectEventTests {
  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Data(text.utf8))
  }

  private static let data = #"""
    {"kind":"storage#object","id":"demo.appspot.com/avatars/sarah/a.png/1700000000000000",
    "name":"avatars/sarah/a.png","bucket":"demo.appspot.com","generation":"1700000000000000",
    "metageneration":"1","size":"9007199254740993","contentType":"image/png",
    "updated":"2023-11-14T22:13:20.000Z","metadata":{"owner":"sarah"},
    "retention":{"mode":"Locked","days":9007199254740993,"ratio":0.5,"list":[null,true]}}
    """#

  private static func event(
    _ kind: EventType.Kind = .finalized,
    named name: String = "avatars/sarah/a.png",
    in bucket: String = "demo.appspot.com"
  ) throws -> ObjectEvent {
    var data = try json(data).object ?? [:]
    data["name"] = .string(name)
    data["bucket"] = .string(bucket)
    return ObjectEvent(
      id: "e1",
      type: EventType(kind, of: .object),
      bucket: bucket,
      name: name,
      time: Timestamp(seconds: 1_700_000_000),
      data: data,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    )
  }

  private func decode(_ text: String) throws -> ChangeEvent {
    try TestKit.decode(ChangeEvent.self, text)
  }

  // MARK: JSON

  @Test(arguments: [EventType.Kind.finalized, .deleted, .metadataUpdated])
  func `JSON is a CloudEvent as Eventarc sends it`(kind: EventType.Kind) throws {
    let event = try Self.event(kind)
    let encoded = try JSON.encode(ChangeEvent.object(event))
    var members = try JSONValue(parsing: encoded).object ?? [:]
    #expect(try members.removeValue(forKey: "data") == Self.json(Self.data))
    #expect(
      members
        == [
          "specversion": "1.0", "id": "e1",
          "type": "google.cloud.storage.object.v1.\(kind.rawValue)",
          "source": "//storage.googleapis.com/projects/_/buckets/demo.appspot.com",
          "subject": "objects/avatars/sarah/a.png", "time": "2023-11-14T22:13:20Z",
          "datacontenttype": "application/json", "bucket": "demo.appspot.com",
          "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        ].mapValues { JSONValue.string($0) }
    )
    let decoded = try JSON.decode(ChangeEvent.self, from: encoded, what: "the event")
    #expect(decoded == .object(event))
    #expect(try JSON.encode(decoded) == encoded)
    #expect(decoded.change == kind && decoded.path == "avatars/sarah/a.png")
    #expect(
      decoded.resource == "projects/_/buckets/demo.appspot.com/objects/avatars/sarah/a.png"
    )
  }

  @Test(arguments: [
    "a", "a/b//c/", "/a", "e\u{301}.png", "\u{E9}.png", "a b%20#?1.png", "👩🏽‍🚀/\u{202E}.png",
    String(repeating: "x", count: 1_024),
  ])
  func `a name is kept byte for byte`(name: String) throws {
    let event = try Self.event(named: name)
    let decoded = try JSON.decode(
      ChangeEvent.self,
      from: JSON.encode(ChangeEvent.object(event)),
      what: "the event"
    )
    guard case .object(let object) = decoded else { throw StatusError(.internal, "no object") }
    #expect(object.name.hasSameBytes(as: name) && object == event)
  }

  @Test func `a first-generation event is read by its data`() throws {
    let event = try TestKit.decode(
      IncomingEvent<JSONValue>.self,
      #"""
      {"context":{"eventId":"1","eventType":"google.storage.object.metadataUpdate",
      "resource":{"name":"projects/_/buckets/b/objects/a.png#17","service":"storage.googleapis.com",
      "type":"storage#object"}},
      "data":{"bucket":"b","name":"a.png","updated":"2023-11-14T22:13:20.000Z"}}
      """#
    )
    guard case .change(.object(let object)) = event else {
      throw StatusError(.internal, "not an object")
    }
    #expect(object.bucket == "b" && object.name == "a.png")
    #expect(object.type == EventType(.metadataUpdated, of: .object))
    #expect(object.time == Timestamp(seconds: 1_700_000_000))
  }

  @Test(arguments: [
    (#""data":{"bucket":"b"}"#, #"at "data": no object with the members bucket and name"#),
    (#""data":{"bucket":"b","name":""}"#, #"at "data": no object with the members"#),
    (#""data":{"bucket":1,"name":"n"}"#, #"at "data": no object with the members"#),
    (#""data":[]"#, #"at "data": no object with the members"#),
    (#""data_base64":"CgFi""#, "data"),
  ])
  func `an event without an object is refused`(data: String, reason: String) {
    let error = statusError {
      try decode(
        #"""
        {"specversion":"1.0","id":"1","type":"google.cloud.storage.object.v1.finalized",
        "source":"//storage.googleapis.com/projects/_/buckets/b","subject":"objects/n",\#(data)}
        """#
      )
    }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  // MARK: Types

  @Test func `every kind of each subject has names in both generations`() throws {
    for subject in EventType.Subject.allCases {
      for kind in subject.kinds {
        let type = EventType(kind, of: subject)
        #expect(EventType(type.description) == type)
        #expect(EventType(firstGeneration: type.firstGeneration) == type)
      }
    }
    #expect(EventType(.finalized, of: .object).firstGeneration == "google.storage.object.finalize")
  }

  @Test(arguments: [
    "google.cloud.storage.object.v1.created", "google.cloud.storage.object.v1.written",
    "google.cloud.storage.object.v1.archived", "google.cloud.storage.object.v1.",
    "google.cloud.storage.object.v1.deleted.withAuthContext",
    "google.cloud.firestore.document.v1.finalized",
    "google.firebase.database.ref.v1.metadataUpdated",
  ])
  func `a kind of another subject is no type`(name: String) {
    #expect(EventType(name) == nil)
    #expect(EventType(firstGeneration: "google.storage.object.write") == nil)
  }

  // MARK: Triggers

  private static func manifest(_ trigger: String) -> String {
    #"{"contract":1,"name":"thumbnail","triggers":[\#(trigger)]}"#
  }

  private static func trigger(_ kind: String, _ members: String = "") -> String {
    #"{"eventType":"google.cloud.storage.object.v1.\#(kind)"\#(members)}"#
  }

  @Test func `a trigger on objects matches by name, kind and bucket`() throws {
    let text = Self.manifest(
      Self.trigger("finalized", #","object":"avatars/{uid}/{file}","bucket":"demo.appspot.com""#)
    )
    let manifest = try TestKit.decode(FunctionManifest.self, text)
    let trigger = FunctionManifest.Trigger(
      .finalized,
      object: "avatars/{uid}/{file}",
      bucket: "demo.appspot.com"
    )
    #expect(manifest.triggers == [trigger])
    #expect(
      try JSONValue(parsing: JSON.encode(trigger))
        == Self.json(
          Self.trigger(
            "finalized",
            #","object":"avatars/{uid}/{file}","bucket":"demo.appspot.com""#
          )
        )
    )
    let event = ChangeEvent.object(try Self.event())
    #expect(
      try manifest.match(event) == .taken(trigger, captures: ["uid": "sarah", "file": "a.png"])
    )
    #expect(try manifest.bound(to: event).triggers == [trigger])
    #expect(try manifest.bound(to: .object(Self.event(in: "other"))).triggers == [])
    #expect(
      try manifest.match(.object(Self.event(.deleted)))
        == .refused(reason: "thumbnail does not handle deleted objects")
    )
    for name in ["avatars/sarah", "avatars/sarah/", "avatars//a.png", "/avatars/sarah/a.png"] {
      #expect(
        try manifest.match(.object(Self.event(named: name)))
          == .refused(reason: "the object is not at avatars/{uid}/{file}")
      )
    }
  }

  @Test(arguments: ["", #","bucket":"*""#, #","bucket":null"#, #","object":"**""#])
  func `a trigger without object and bucket takes every object`(members: String) throws {
    let manifest = try TestKit.decode(
      FunctionManifest.self,
      Self.manifest(Self.trigger("deleted", members))
    )
    #expect(manifest.triggers == [FunctionManifest.Trigger(.deleted)])
    #expect(
      try JSONValue(parsing: JSON.encode(manifest.triggers[0]))
        == Self.json(Self.trigger("deleted", #","bucket":"*""#))
    )
    for name in ["a", "a//b", "a/b/"] {
      let event = ChangeEvent.object(try Self.event(.deleted, named: name, in: "any"))
      #expect(
        try manifest.bound(to: event).match(event) == .taken(manifest.triggers[0], captures: [:])
      )
    }
  }

  @Test(arguments: [
    (#","document":"a/{b}""#, "document", "not a member of a trigger on objects"),
    (#","ref":"a""#, "ref", "not a member of a trigger on objects, which has bucket and object"),
    (#","fields":["a"]"#, "fields", "not a member of a trigger on objects"),
    (#","object":7"#, "object", "has the wrong type"),
  ])
  func `a trigger on objects has no members of other triggers`(
    members: String,
    name: String,
    reason: String
  ) {
    let text = Self.manifest(Self.trigger("finalized", members))
    let error = statusError { try TestKit.decode(FunctionManifest.self, text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("triggers.0.\(name)") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("archived", "an event of buckets with Object Versioning, which the emulator doesn't have"),
    ("written", "not an event type of Firestore, the Realtime Database or Cloud Storage"),
  ])
  func `a type that no trigger can have is refused by name`(kind: String, reason: String) {
    let text = Self.manifest(Self.trigger(kind))
    let error = statusError { try TestKit.decode(FunctionManifest.self, text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
