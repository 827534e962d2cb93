import CloudEvents
import Core
import FirestoreModel
import FunctionRuntime
import HTTPService
import TestKit
import Testing

/// Events in the formats of Google Cloud and other emulators, and invalid events.
struct ReceivedEventTests {
  private static let json = """
    {"value":{"name":"projects/demo-p/databases/(default)/documents/notes/n1",\
    "fields":{"n":{"doubleValue":0.1},"i":{"integerValue":"9007199254740993"}}}}
    """

  private static let structured = """
    {"specversion":"1.0","id":"e1","source":"//s","type":"google.cloud.firestore.document.v1.created"
    """

  @Test func `a trace in HTTP's own header becomes the event's if it has none`() throws {
    let traceparent = "00-11111111111111111111111111111111-2222222222222222-01"
    let body = Data(Self.json.utf8)
    let event = try read(binary("application/json", ["traceparent": traceparent]), body)
    #expect(event?.traceparent == traceparent)
    let own = ["traceparent": traceparent, "ce-traceparent": traceparent.replacing("2", with: "3")]
    #expect(try read(binary("application/json", own), body)?.traceparent == own["ce-traceparent"])
  }

  @Test func `an ambiguous event is refused`() throws {
    let body = Data(Self.json.utf8)
    for name in ["ce-id", "ce-own", "content-type"] {
      var twice = request(binary("application/json"), body)
      twice.repeatedHeaders = [name, "accept"]
      let error = statusError { try ReceivedEvent(twice) }
      #expect(error?.message == #"the header "\#(name)" appears twice"#)
    }
    for value in ["a\tb", "%00", "a%0A", "%7f", "%C2%80"] {
      for name in ["ce-id", "ce-source", "ce-type", "ce-subject", "ce-own"] {
        let error = refusal(binary("application/json", [name: value]), body)
        #expect(error?.message == #"the header "\#(name)" has control characters"#)
      }
    }
    for (more, reason) in [
      (#""id":"e2""#, #"the field "id" appears twice"#),
      (#""subject":"\u0007""#, #"the event's "subject" has control characters"#),
    ] {
      let text = Self.structured + #",\#(more),"data":\#(Self.json)}"#
      #expect(refusal([:], Data(text.utf8))?.message == reason)
    }
    for (id, type, resource, name) in [
      (#"\t"#, "", "", "eventId"), ("", #"\u007F"#, "", "eventType"), ("", "", #"\n"#, "resource"),
    ] {
      let text = """
        {"context":{"eventId":"e1\(id)","eventType":"google.pubsub.topic.publish\(type)",\
        "resource":"projects/p/topics/t\(resource)"},"data":{}}
        """
      #expect(
        refusal([:], Data(text.utf8))?.message == #"the event's "\#(name)" has control characters"#
      )
    }
  }

  @Test func `the CloudEvent of a first-generation event has no control characters either`() {
    for (type, resource, more, name) in [
      (
        "providers/google.firebase.database/eventTypes/ref.write", "projects/_/instances/i/refs/r",
        #""domain":"a\u0007.b""#, "domain"
      ),
      ("providers/firebase.auth/eventTypes/user.create", "projects/p", #""x":0"#, "subject"),
    ] {
      let text = """
        {"context":{"eventId":"e1","eventType":"\(type)","resource":"\(resource)"},\(more),\
        "data":{"uid":"u\\u0000"}}
        """
      #expect(
        refusal([:], Data(text.utf8))?.message == #"the event's "\#(name)" has control characters"#
      )
    }
  }

  @Test(arguments: ["id", "source", "type", "subject", "document", "own"])
  func `an attribute has a maximum length`(name: String) throws {
    let maximumBytes = ["subject", "document"].contains(name) ? 32_768 : 1_024
    func refusal(bytes: Int) -> StatusError? {
      var attributes = ["specversion": "1.0", "id": "1", "source": "s", "type": "t"]
      attributes[name] = String(repeating: "x", count: bytes)
      let headers = attributes.map { ("ce-\($0.key)", $0.value) }
      let inHeaders = statusError {
        try received(Dictionary(uniqueKeysWithValues: headers), Data())
      }
      let members = attributes.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
      let inBody = statusError { try received([:], Data("{\(members)}".utf8)) }
      #expect(inHeaders == inBody)
      return inBody
    }
    #expect(refusal(bytes: maximumBytes) == nil)
    let error = refusal(bytes: maximumBytes + 1)
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == #"the event's "\#(name)" is longer than \#(maximumBytes) bytes"#)
  }

  @Test(
    arguments: [
      ("eventId", 1_024), ("eventType", 1_024), ("timestamp", 1_024), ("service", 1_024),
      ("domain", 1_024), ("resource", 32_768),
    ]
  )
  func `a member of a first-generation context has a maximum length`(
    name: String,
    maximumBytes: Int
  ) {
    let long = String(repeating: "\u{301}\u{316}", count: 300_000)
    func member(_ own: String, _ text: String) -> String {
      #""\#(own)":"\#(own == name ? long : text)""#
    }
    let text = """
      {"context":{\(member("eventId", "e1")),\(member("eventType", "google.pubsub.topic.publish")),\
      \(member("timestamp", "2026-01-01T00:00:00Z")),\
      "resource":{\(member("service", "pubsub.googleapis.com")),\
      "name":"\(name == "resource" ? long : "projects/p/topics/t")"}},\
      \(member("domain", "firebaseio.com")),"data":{}}
      """
    #expect(
      refusal([:], Data(text.utf8))?.message
        == #"the event's "\#(name)" is longer than \#(maximumBytes) bytes"#
    )
  }

  @Test(
    arguments: [
      ("google.storage.object.finalize", "projects/_/buckets/b/objects/"),
      ("providers/google.firebase.database/eventTypes/ref.write", "projects/_/instances/i/refs/"),
      ("google.storage.object.delete", ""),
    ]
  )
  func `a resource's name is split by its bytes`(type: String, start: String) throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 8_000)
    let text = """
      {"context":{"eventId":"e1","eventType":"\(type)","resource":"\(start)\(marks)"},\
      "domain":"firebaseio.com","data":{}}
      """
    guard !start.isEmpty else {
      let reason = "the event's resource doesn't match its type"
      #expect(refusal([:], Data(text.utf8))?.message == reason)
      return
    }
    let subject = try #require(try received([:], Data(text.utf8))["subject"])
    #expect(subject.hasSameBytes(as: (start.hasSuffix("refs/") ? "refs/" : "objects/") + marks))
  }

  @Test func `a tab in HTTP's own headers is allowed, but not in an attribute`() throws {
    let headers = binary("application/json;\tcharset=utf-8", ["traceparent": "a\tb"])
    let event = try received(headers, Data(Self.json.utf8))
    #expect(event["datacontenttype"] == "application/json; charset=utf-8")
    #expect(event["traceparent"] == nil)
  }

  @Test func `data in base64 is protobuf or JSON, as its content type says`() throws {
    let event = try EventFixtures.event(.created)
    let protobuf = try EventMessage(event, as: .protobuf).body.base64EncodedString()
    let text = """
      {"specversion":"1.0","id":"\(event.id)","source":"//s","type":"\(event.type)",\
      "time":"\(event.time)","traceparent":"\(event.traceparent ?? "")",\
      "datacontenttype":"application/protobuf","data_base64":"\(protobuf)"}
      """
    #expect(
      try read(["content-type": "application/cloudevents+json"], Data(text.utf8)) == event
    )
    let json = Data(Self.json.utf8).base64EncodedString()
    let inJSON = Self.structured + #","data_base64":"\#(json)"}"#
    let read = try read([:], Data(inJSON.utf8))
    #expect(read?.value?.fields == ["n": .double(0.1), "i": .integer(9_007_199_254_740_993)])
  }

  @Test func `data without a content type is JSON if possible, and otherwise stays unchanged`()
    throws
  {
    for (base64, member) in [("/////w==", "data_base64"), ("eyJhIjoxfQ==", "data")] {
      let text =
        #"{"specversion":"1.0","id":"1","source":"s","type":"t","data_base64":"\#(base64)"}"#
      let event = try JSONValue(parsing: received([:], Data(text.utf8)).json)
      #expect(event[member] != nil)
      #expect(event["data_base64"] == (member == "data" ? nil : .string(base64)))
    }
    let text = binary("", ["ce-type": "other"])
    #expect(
      try JSONValue(parsing: received(text, Data("x".utf8)).json)["data_base64"] == .string("eA==")
    )
  }

  @Test func `a byte order mark is no part of an event`() throws {
    let mark = Data([0xEF, 0xBB, 0xBF])
    let json = Data(Self.json.utf8)
    let structured = Data("\(Self.structured),\"data\":\(Self.json)}".utf8)
    for body in [json, mark + json] {
      let event = try received(binary("application/json"), body)
      #expect(try JSONValue(parsing: event.json)["data"] == JSONValue(parsing: json))
    }
    #expect(try read([:], mark + structured) == read([:], structured))
  }

  @Test func `an event of Google's emulator is accepted`() throws {
    let headers = binary(
      "application/protobuf",
      [
        "ce-datacontenttype": "application/protobuf",
        "ce-source": "//firestore.googleapis.com/projects/projects/demo-p/databases/(default)",
        "ce-subject": "documents/notes/tè", "ce-document": "notes/tè",
        "ce-time": "2026-01-02T03:04:05Z",
      ]
    )
    let message = try EventMessage(EventFixtures.event(.created), as: .base64Protobuf)
    #expect(try read(headers, message.body)?.document == EventFixtures.name())
  }

  @Test func `an event without a document is distinguished from one with a document`() throws {
    #expect(try received(binary("application/protobuf"), Data("GgA=".utf8)).tellsOfNothing)
    #expect(try received(binary("application/protobuf"), Data()).tellsOfNothing)
    let other = binary("application/json", ["ce-type": "other"])
    #expect(try !received(other, Data("{}".utf8)).tellsOfNothing)
    let deleted = try EventMessage(EventFixtures.event(.deleted), as: .protobuf).body
    #expect(try !received(binary("application/protobuf"), deleted).tellsOfNothing)
  }

  @Test func `an event of another kind is not a document's`() throws {
    for type in ["text/plain", "application/protobuf", "application/xml"] {
      #expect(try read(binary(type, ["ce-type": "other"]), Data("x".utf8)) == nil)
    }
    let background = """
      {"context":{"eventId":"e1","eventType":"google.pubsub.topic.publish",\
      "resource":"projects/p/topics/t"},"data":{}}
      """
    #expect(try read([:], Data(background.utf8)) == nil)
  }

  @Test func `superfluous percent-encoding is undone`() throws {
    let event = try read(
      binary(
        "application/json; charset=utf-8",
        ["ce-id": "%65%C3%A8", "ce-type": "google.cloud.firestore.document.v1.%63reated"]
      ),
      Data(Self.json.utf8)
    )
    #expect(event?.id == "eè")
    #expect(event?.type == EventType(.created))
  }

  @Test(arguments: [
    "%", "%4", "%G0", "%C3", "%FF%FE", "%C3%28", "%ED%A0%80",
  ])
  func `a header that isn't percent-encoded UTF-8 is refused by name`(value: String) {
    for name in ["ce-id", "ce-subject", "ce-own"] {
      let error = refusal(binary("application/json", [name: value]), Data(Self.json.utf8))
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == #"the header "\#(name)" is not percent-encoded UTF-8"#)
    }
  }

  @Test func `an invalid attribute is refused by name`() {
    let body = Data(Self.json.utf8)
    for (name, value, reason) in [
      ("ce-a-b", "x", "is not a valid attribute name"),
      ("ce-", "x", "is not a valid attribute name"),
      ("ce-own", "\u{FFFD}", "is not UTF-8"), ("ce-data", "x", "is not a valid attribute name"),
    ] {
      let error = refusal(binary("application/json", [name: value]), body)
      #expect(error?.message == "the header \"\(name)\" \(reason)")
    }
    let error = refusal([:], Data("\(Self.structured),\"Own\":1,\"data\":\(Self.json)}".utf8))
    #expect(error?.message == #"the event's field "Own" is not a valid attribute name"#)
  }

  @Test(arguments: [
    ("", "is not a JSON object"), ("[]", "is not a JSON object"), ("{", "is not a JSON object"),
    ("{}", "has no specversion and no context"), (#"{"data":{}}"#, "has no specversion"),
    (#"{"context":{},"data":{}}"#, "context has no resource"),
    (#"{"context":{"resource":"r"}}"#, "has no data"),
    (
      #"{"context":{"eventId":"1","eventType":"google.pubsub.topic.publish","timestamp":"now","#
        + #""resource":"projects/p/topics/t"},"data":{}}"#, "the event's time is"
    ),
  ])
  func `an invalid body is refused with the reason`(body: String, reason: String) {
    let error = refusal(["content-type": "application/json"], Data(body.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(reason) == true, Comment(rawValue: error?.message ?? ""))
    #expect(refusal([:], Data([0x7B, 0xFF, 0x7D]))?.message == "the event is not valid UTF-8")
  }

  @Test(arguments: [
    "application/cloudevents-batch+json", "application/cloudevents-batch+json; charset=utf-8",
    "application/cloudevents+avro", "application/cloudeventsjson",
  ])
  func `an unknown form is refused by name`(contentType: String) {
    let error = refusal(["content-type": contentType], Data("[]".utf8))
    #expect(error?.code == .unimplemented)
    #expect(error?.message.contains("event") == true)
    #expect(error?.message.hasPrefix("a batch of events") == contentType.contains("batch"))
  }

  @Test func `data without a content type is JSON`() throws {
    var headers = binary("")
    #expect(try read(headers, Data(Self.json.utf8)) != nil)
    headers["content-type"] = nil
    #expect(try read(headers, Data(Self.json.utf8)) != nil)
  }

  @Test(arguments: ["text/plain", "application/xml", "application/octet-stream"])
  func `a document in another content type is refused by name`(contentType: String) {
    let error = refusal(binary(contentType), Data(Self.json.utf8))
    #expect(error?.code == .unimplemented)
    #expect(error?.message.contains("\"\(contentType)\"") == true)
  }

  @Test(arguments: [
    Data([0x0A]), Data([0x0A, 0x7F, 0x0A]), Data([0x0A, 0x02, 0x0A, 0xFF]), Data([0xFF, 0xFF]),
    // The document's name isn't valid UTF-8.
    Data([0x0A, 0x03, 0x0A, 0x01, 0xFF]),
  ])
  func `truncated or invalid protobuf is refused`(body: Data) {
    let error = refusal(binary("application/protobuf"), body)
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the event's data is not a DocumentEventData message")
  }

  @Test func `every truncated event is refused or has fewer fields`() throws {
    let body = try EventMessage(EventFixtures.event(.updated), as: .protobuf).body
    for count in 1..<body.count {
      let cut = body.prefix(count)
      if let event = try? read(binary("application/protobuf"), Data(cut)) {
        #expect(event.updateMask.isEmpty)
      }
    }
  }

  @Test func `too deep nesting is refused in either encoding`() throws {
    // The field `value.fields["a"]` contains nested arrays.
    var value = Data([0x58, 0x00])
    for _ in 0..<2_000 {
      value = lengthDelimited(9, lengthDelimited(1, value))
    }
    let entry = lengthDelimited(1, Data("a".utf8)) + lengthDelimited(2, value)
    let error = refusal(
      binary("application/protobuf"),
      lengthDelimited(1, lengthDelimited(2, entry))
    )
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the event's data is nested too deeply")

    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(refusal(binary("application/json"), Data(text.utf8))?.code == .invalidArgument)
    let member = #"{"specversion":"1.0","data_base64":\#(text)}"#
    #expect(refusal([:], Data(member.utf8))?.code == .invalidArgument)
  }

  /// Returns a protobuf field with content of any length.
  private func lengthDelimited(_ number: UInt8, _ content: Data) -> Data {
    var length = content.count
    var bytes = Data([number << 3 | 2])
    while length >= 0x80 {
      bytes.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    return bytes + [UInt8(length)] + content
  }

  @Test(arguments: [
    (#"{"value":{}}"#, "neither value nor oldValue"),
    ("{}", "neither value nor oldValue"),
    ("[]", "the wrong type"),
    ("", "has no \"data\""),
    (#"{"value":"#, "not valid JSON"),
    (#"{},"id":"other""#, "not valid JSON"),
    (#"{"value":{"name":"notes/n1"}}"#, ""),
    (#"{"value":{"name":"projects/p/databases/d/documents/a"}}"#, ""),
  ])
  func `JSON that is not a document's is refused`(body: String, message: String) {
    let error = refusal(binary("application/json"), Data(body.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
  }

  @Test(arguments: [
    (#","data":{},"data_base64":"""#, "both data and data_base64"),
    (#","data_base64":"?""#, "not base64"),
    (#","data_base64":7"#, "not base64"),
    (#","datacontenttype":"text/plain","data_base64":"eA==""#, "text/plain"),
    (#","datacontenttype":"text/plain","data":{"value":{}}"#, "text/plain"),
    (#","datacontenttype":"application/protobuf","data":{}"#, "send protobuf as data_base64"),
    (#","data_base64":null"#, "has no \"data\""),
    (#","datacontenttype":"application/protobuf","data_base64":"Cg==""#, "not a DocumentEventData"),
    ("", "has no \"data\""),
  ])
  func `a structured event without usable data is refused`(members: String, message: String) {
    let error = refusal(
      ["content-type": "application/cloudevents+json"],
      Data((Self.structured + members + "}").utf8)
    )
    #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
  }

  @Test(arguments: ["ce-specversion", "ce-id", "ce-source", "ce-type"])
  func `an event without a required attribute is refused`(name: String) {
    var headers = binary("application/json")
    headers[name] = nil
    let error = refusal(headers, Data(Self.json.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the event has no \(name.dropFirst(3)): it is not a CloudEvent")
    headers[name] = ""
    #expect(refusal(headers, Data(Self.json.utf8))?.code == .invalidArgument)
  }

  @Test(arguments: ["0.3", "2.0", ""])
  func `another version of CloudEvents is refused`(version: String) {
    let headers = binary("application/json", ["ce-specversion": version])
    let error = refusal(headers, Data(Self.json.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("specversion") == true)
  }

  @Test func `a time out of range is refused`() throws {
    // The field `create_time` is 2⁶² seconds.
    let name = Data("projects/p/databases/d/documents/a/b".utf8)
    let time = Data([0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40])
    let body = field(1, field(1, name) + field(3, time))
    let error = refusal(binary("application/protobuf"), body)
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("time") == true)
  }
}
