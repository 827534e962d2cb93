import Core
import FirestoreModel
import FunctionRuntime
import Testing

/// Events of the Realtime Database.
struct ReferenceEventTests {
  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Data(text.utf8))
  }

  private static func event(
    _ kind: EventType.Kind = .written,
    from data: String,
    to value: String,
    ref: String = "status/sarah"
  ) throws -> ReferenceEvent {
    let before = try json(data)
    return ReferenceEvent(
      id: "e1",
      type: EventType(kind, of: .reference),
      instance: "demo-default-rtdb",
      ref: ref,
      time: Timestamp(seconds: 1_700_000_000),
      data: before,
      delta: before.delta(to: try json(value)),
      authContext: AuthContext(type: "app_user", id: "sarah"),
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    )
  }

  @Test(arguments: [
    ("null", #"{"a":1}"#, #"{"a":1}"#, EventType.Kind.created),
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#, .updated),
    (#"{"a":1,"b":2}"#, #"{"a":1}"#, #"{"b":null}"#, .updated),
    (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"y":2,"z":[1]}}"#, #"{"a":{"x":null,"z":[1]}}"#, .updated),
    (#"{"a":{"x":1}}"#, #"{"a":"text"}"#, #"{"a":"text"}"#, .updated),
    (#""text""#, #"{"a":1}"#, #"{"a":1}"#, .updated),
    (#"{"a":{"x":1},"b":1}"#, #"{"b":1}"#, #"{"a":null}"#, .updated),
    (#"{"a":1}"#, "null", "null", .deleted), ("false", "null", "null", .deleted),
  ])
  func `delta has what changed, and the new value follows from it`(
    before: String,
    after: String,
    delta: String,
    change: EventType.Kind
  ) throws {
    let event = try Self.event(from: before, to: after)
    #expect(try event.delta == Self.json(delta))
    #expect(try event.value == Self.json(after))
    #expect(event.change == change)
  }

  @Test func `JSON is a CloudEvent as Eventarc sends it`() throws {
    let event = try Self.event(.updated, from: #"{"n":1}"#, to: #"{"n":2}"#)
    let json = try JSONValue(parsing: JSON.encode(ChangeEvent.reference(event)))
    let type = "type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData"
    let expected: JSONObject = [
      "specversion": "1.0", "id": "e1", "type": "google.firebase.database.ref.v1.updated",
      "source":
        "//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/demo-default-rtdb",
      "subject": "refs/status/sarah", "time": "2023-11-14T22:13:20Z",
      "datacontenttype": "application/json", "location": "us-central1",
      "instance": "demo-default-rtdb", "firebasedatabasehost": "firebaseio.com",
      "ref": "status/sarah", "authtype": "app_user", "authid": "sarah",
      "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ].mapValues { JSONValue.string($0) }
    var members = json.object ?? [:]
    #expect(
      try members.removeValue(forKey: "data")
        == Self.json(#"{"@type":"\#(type)","data":{"n":1},"delta":{"n":2}}"#)
    )
    #expect(members == expected)
    #expect(
      try JSON.decode(ChangeEvent.self, from: JSON.encode(json), what: "it") == .reference(event)
    )
  }

  @Test func `the node may be in source and subject alone`() throws {
    let event = try JSON.decode(
      ChangeEvent.self,
      from: Data(
        #"""
        {"specversion":"1.0","id":"1","type":"google.firebase.database.ref.v1.created",
        "source":"//firebasedatabase.googleapis.com/projects/_/locations/europe-west1/instances/db",
        "subject":"refs/a/b","data":{"data":null,"delta":7}}
        """#.utf8
      ),
      what: "the event"
    )
    #expect(event.path == "a/b" && event.change == .created)
    #expect(event.resource == "projects/_/instances/db/refs/a/b")
  }

  @Test func `a path may be longer than other attributes`() throws {
    let key = String(repeating: "k", count: 768)
    let event = try Self.event(from: "null", to: "1", ref: "\(key)/\(key)")
    let encoded = try JSON.encode(ChangeEvent.reference(event))
    #expect(try JSON.decode(ChangeEvent.self, from: encoded, what: "it") == .reference(event))
  }

  @Test func `first-generation events are read`() throws {
    let event = try JSON.decode(
      IncomingEvent<JSONValue>.self,
      from: Data(
        #"""
        {"context":{"eventId":"1","eventType":"providers/google.firebase.database/eventTypes/ref.update",
        "resource":{"name":"projects/_/instances/db/refs/a/b","service":"firebaseio.com"}},
        "data":{"data":{"n":1},"delta":{"n":2}}}
        """#.utf8
      ),
      what: "the event"
    )
    guard case .change(.reference(let reference)) = event else {
      throw StatusError(.internal, "not a reference")
    }
    #expect(reference.instance == "db" && reference.ref == "a/b")
    #expect(try reference.value == Self.json(#"{"n":2}"#))
  }

  @Test(arguments: [
    (#""source":"//s/projects/_""#, "neither instance and ref nor source and subject"),
    (#""source":"//s/instances/db","subject":"objects/x""#, "neither instance and ref"),
  ])
  func `an event without a node is refused`(attributes: String, reason: String) throws {
    let text = #"""
      {"specversion":"1.0","id":"1","type":"google.firebase.database.ref.v1.created",\#(attributes),
      "data":{"data":null,"delta":7}}
      """#
    let error = #expect(throws: StatusError.self) {
      try JSON.decode(ChangeEvent.self, from: Data(text.utf8), what: "the event")
    }
    #expect(error?.message.contains(reason) == true)
  }

  // MARK: Triggers

  @Test func `a manifest's trigger on nodes matches by path, kind and instance`() throws {
    let manifest = try JSON.decode(
      FunctionManifest.self,
      from: Data(
        #"""
        {"contract":1,"name":"mirror","triggers":[
        {"eventType":"google.firebase.database.ref.v1.updated","ref":"status/{uid}","instance":"demo-*"},
        {"eventType":"google.cloud.firestore.document.v1.created","document":"status/{uid}"}]}
        """#.utf8
      ),
      what: "the manifest"
    )
    let trigger = FunctionManifest.Trigger(.updated, ref: "status/{uid}", instance: "demo-*")
    #expect(manifest.triggers[0] == trigger)
    #expect(
      try JSONValue(parsing: JSON.encode(trigger))
        == Self.json(
          #"{"eventType":"google.firebase.database.ref.v1.updated","ref":"status/{uid}","instance":"demo-*"}"#
        )
    )
    let everywhere = FunctionManifest.Trigger(.written, ref: "a")
    #expect(try JSONValue(parsing: JSON.encode(everywhere))["instance"] == .string("*"))

    var event = try Self.event(from: "1", to: "2")
    #expect(try manifest.match(.reference(event)) == .taken(trigger, captures: ["uid": "sarah"]))
    #expect(try manifest.bound(to: .reference(event)).triggers == [trigger])
    event.instance = "other"
    #expect(try manifest.bound(to: .reference(event)).triggers == [])
    #expect(
      try manifest.match(.reference(Self.event(from: "null", to: "2")))
        == .refused(reason: "mirror does not handle created nodes")
    )
    #expect(
      try manifest.match(.reference(Self.event(from: "1", to: "2", ref: "other/sarah")))
        == .refused(reason: "the node is not at status/{uid}")
    )
  }

  @Test(arguments: ["document", "fields"])
  func `a trigger on nodes needs a ref`(member: String) {
    let text =
      #"{"contract":1,"name":"m","triggers":[{"eventType":"google.firebase.database.ref.v1.created","\#(member)":"a"}]}"#
    #expect(throws: StatusError.self) {
      try JSON.decode(FunctionManifest.self, from: Data(text.utf8), what: "the manifest")
    }
  }
}
