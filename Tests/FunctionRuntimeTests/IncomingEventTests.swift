import Core
import FirestoreModel
import FunctionRuntime
import TestKit
import Testing

struct IncomingEventTests {
  typealias Event = IncomingEvent<Greeting>

  // MARK: CloudEvents

  @Test(arguments: [
    ("created", EventFixtures.created, EventType.Kind.created),
    ("updated", EventFixtures.newText, .updated),
    ("deleted", EventFixtures.deleted, .deleted),
    ("written", EventFixtures.created, .created),
    ("written", EventFixtures.newText, .updated),
    ("written", EventFixtures.deleted, .deleted),
    // A sender may omit the old document, or send an empty one.
    ("updated", EventFixtures.created, .updated),
    ("updated", #"{"value":\#(EventFixtures.document()),"oldValue":{}}"#, .updated),
    ("created", #"{"value":\#(EventFixtures.document()),"oldValue":{},"updateMask":{}}"#, .created),
    ("deleted", #"{"value":{},"oldValue":\#(EventFixtures.document())}"#, .deleted),
  ])
  func `a CloudEvent's type and documents give the kind of change`(
    type: String,
    data: String,
    change: EventType.Kind
  ) throws {
    for suffix in ["", ".withAuthContext"] {
      let event = try decode(Event.self, EventFixtures.cloudEvent(type + suffix, data))
      guard case .change(.document(let document)) = event else {
        Issue.record("not a document's event")
        return
      }
      #expect(event.id == "e1")
      #expect(document.change == change)
      #expect(document.type.description.hasSuffix("v1.\(type)\(suffix)"))
      #expect(document.document.path.description == "conversations/c1/messages/m1")
      #expect(document.time.description == "2026-01-02T00:00:00Z")
      #expect(document.updateMask.isEmpty)
    }
  }

  @Test func `a CloudEvent has its author, its mask and its trace`() throws {
    let event = try decode(
      Event.self,
      EventFixtures.cloudEvent(
        "updated.withAuthContext",
        #"{"value":\#(EventFixtures.document()),"updateMask":{"fieldPaths":["text","translations.`pt-BR`"]}}"#,
        more: #","authtype":"app_user","authid":"u1","traceparent":"t","unknown":[1]"#
      )
    )
    guard case .change(.document(let document)) = event else {
      Issue.record("not a document's event")
      return
    }
    #expect(document.authContext == .init(type: "app_user", id: "u1"))
    #expect(document.updateMask == [FieldPath("text"), FieldPath("translations", "pt-BR")])
    #expect(document.traceparent == "t")
  }

  @Test(arguments: ["created", "updated", "deleted", "written"])
  func `an encoded event is read back as it was`(type: String) throws {
    let original = try decode(
      Event.self,
      EventFixtures.cloudEvent(
        type + ".withAuthContext",
        EventFixtures.newText,
        more: #","authtype":"system","traceparent":"t""#
      )
    )
    guard case .change(.document(let document)) = original else {
      Issue.record("not a document's event")
      return
    }
    #expect(try decode(DocumentEvent.self, text(document)) == document)
  }

  @Test(arguments: [
    "google.cloud.storage.object.v1.archived", "google.cloud.firestore.document.v1.renamed",
    "google.cloud.firestore.document.v1.", "google.cloud.firestore.document.v1.created.x",
    "com.example.\u{202E}thing", "google.cloud.firestore.document.v1.CREATED",
  ])
  func `a CloudEvent of another type is named, and its payload isn't read`(type: String) throws {
    for payload in [#""data":"text""#, #""data_base64":"AAE=""#, #""data":{"value":1}"#] {
      let event = try decode(
        Event.self,
        #"{"specversion":"1.0","id":"e2","source":"s","type":"\#(type)",\#(payload)}"#
      )
      guard case .other(let id, type) = event else {
        Issue.record("the event was decoded as another kind")
        return
      }
      #expect(id == "e2")
    }
  }

  // MARK: First generation

  @Test(arguments: [
    ("create", EventFixtures.created, EventType.Kind.created),
    ("update", EventFixtures.newText, .updated),
    ("delete", EventFixtures.deleted, .deleted),
    ("write", EventFixtures.newText, .updated),
    (
      "create", #"{"value":\#(EventFixtures.document()),"oldValue":{},"updateMask":{}}"#, .created
    ),
  ])
  func `a background event is read in both of its forms`(
    type: String,
    data: String,
    change: EventType.Kind
  ) throws {
    let attributes = """
      "eventId":"g1","eventType":"providers/cloud.firestore/eventTypes/document.\(type)",\
      "timestamp":"2026-01-02T00:00:00Z","resource":"\(EventFixtures.name)"
      """
    let nested = #"{"context":{\#(attributes)},"data":\#(data)}"#
    let flat = #"{\#(attributes),"data":\#(data)}"#
    for form in [nested, flat] {
      let event = try decode(Event.self, form)
      guard case .change(.document(let document)) = event else {
        Issue.record("not a document's event")
        return
      }
      #expect(document.id == "g1")
      #expect(document.change == change)
      #expect(document.document.description == EventFixtures.name)
      #expect(document.time.description == "2026-01-02T00:00:00Z")
    }
  }

  @Test func `a background event of another kind is named`() throws {
    let event = try decode(
      Event.self,
      #"{"context":{"eventId":"g2","eventType":"google.pubsub.topic.publish"},"data":{"data":"eA=="}}"#
    )
    guard case .other("g2", "google.pubsub.topic.publish") = event else {
      Issue.record("the event was decoded as another kind")
      return
    }
  }

  @Test func `a background event without a time has its document's`() throws {
    let event = try decode(
      Event.self,
      """
      {"eventId":"g3","eventType":"providers/cloud.firestore/eventTypes/document.create",\
      "data":\(EventFixtures.created)}
      """
    )
    guard case .change(.document(let document)) = event else {
      Issue.record("not a document's event")
      return
    }
    #expect(document.time.description == "2026-01-01T00:00:00.123456Z")
  }

  // MARK: Calls

  @Test(arguments: [
    (#"{"data":{"name":"Ann"}}"#, nil),
    (#"{"data":{"name":"Ann"},"auth":null}"#, nil),
    (#"{"data":{"name":"Ann"},"auth":{"uid":"u1"}}"#, Caller(uid: "u1")),
    (
      #"{"auth":{"uid":"u1","token":{"email":"a@b.c"}},"data":{"name":"Ann","x":1}}"#,
      Caller(uid: "u1")
    ),
    (#"{"name":"Ann"}"#, nil),
    (#"{"name":"Ann","auth":{"uid":"u1"},"eventType":"x","unknown":[{}]}"#, nil),
  ])
  func `a call is wrapped or bare, and only a wrapped one has a caller`(
    body: String,
    caller: Caller?
  ) throws {
    let event = try decode(Event.self, body)
    guard case .call(let greeting, let actual) = event else {
      Issue.record("not a call")
      return
    }
    #expect(greeting.name == "Ann")
    #expect(actual == caller)
    #expect(event.id == nil)
  }

  // MARK: Refusals

  static let refusals: [(String, String)] = [
    (
      #"{"data":{"name":"Ann"},"auth":{"uid":"u"},"zebra":1,"app":{}}"#,
      #"is refused: a callable request has only data and auth, not "app""#
    ),
    (
      #"{"data":{"name":"Ann"},"type":"x"}"#,
      #"is refused: a callable request has only data and auth, not "type""#
    ),
    (#"{"data":null}"#, #"has the wrong type at "data" (expected an object)"#),
    (#"{"data":{"name":"Ann"},"auth":{}}"#, #"has no "uid" at "auth""#),
    (#"{"data":{"name":"Ann"},"auth":"u"}"#, #"has the wrong type at "auth" (expected an object)"#),
    (#"{"data":{"name":1}}"#, #"has the wrong type at "data.name" (expected a string)"#),
    (#"{"data":{}}"#, #"has no "name" at "data""#),
    ("{}", #"has no "name""#),
    ("[]", "has the wrong type (expected an object)"),
    ("7", "has the wrong type (expected an object)"),
    (#""text""#, "has the wrong type (expected an object)"),
    ("null", "has the wrong type (expected an object)"),
    (
      #"{"specversion":"0.3","id":"e","source":"s","type":"t"}"#,
      #"is refused at "specversion": CloudEvents "0.3" is not 1.0"#
    ),
    (#"{"specversion":1}"#, #"has the wrong type at "specversion" (expected a string)"#),
    (
      #"{"specversion":"1.0","id":"","source":"s","type":"t"}"#,
      #"is refused at "id": the text is empty"#
    ),
    (
      #"{"specversion":"1.0","id":"e","source":"","type":"t"}"#,
      #"is refused at "source": the text is empty"#
    ),
    (
      #"{"specversion":"1.0","id":"e","source":"s","type":""}"#,
      #"is refused at "type": the text is empty"#
    ),
    (#"{"specversion":"1.0","source":"s","type":"t"}"#, #"has no "id""#),
    (#"{"specversion":"1.0","id":"e","type":"t"}"#, #"has no "source""#),
    (#"{"specversion":"1.0","id":"e","source":"s"}"#, #"has no "type""#),
    (
      EventFixtures.cloudEvent("created", "{}"),
      #"is refused: data has neither value nor oldValue"#
    ),
    (
      EventFixtures.cloudEvent("created", #""CgA=""#),
      #"has the wrong type at "data" (expected an object)"#
    ),
    (
      EventFixtures.cloudEvent("created", #"{"value":{"name":"x"}}"#),
      #"""
      is refused at "data.value.name": Document name "x" lacks \#
      "projects" at index 0.
      """#
    ),
    (#"{"context":{},"data":{}}"#, #"has no "eventId" at "context""#),
    (#"{"context":{"eventId":"e"},"data":{}}"#, #"has no "eventType" at "context""#),
    (#"{"context":7}"#, #"has the wrong type at "context" (expected an object)"#),
    (
      #"{"eventType":"providers/cloud.firestore/eventTypes/document.create","data":{}}"#,
      #"has no "eventId""#
    ),
    (
      #"{"eventId":"e","eventType":"providers/cloud.firestore/eventTypes/document.write","data":{}}"#,
      #"is refused at "data": data has neither value nor oldValue"#
    ),
  ]

  @Test(arguments: refusals)
  func `an invalid event is refused with the place of the error`(body: String, reason: String) {
    let error = statusError { try decode(Event.self, body) }
    #expect(error == StatusError(.invalidArgument, "the input \(reason)"))
  }

  @Test func `a protobuf payload is refused by its name`() {
    let error = statusError {
      try decode(
        Event.self,
        """
        {"specversion":"1.0","id":"e","source":"s","datacontenttype":"application/protobuf",\
        "type":"google.cloud.firestore.document.v1.created","data_base64":"CgA="}
        """
      )
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("data_base64") == true)
  }
}
