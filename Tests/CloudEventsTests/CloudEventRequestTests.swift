import CloudEvents
import FirestoreModel
import FunctionRuntime
import HTTPService
import Platform
import RPCStatus
import TestKit
import Testing

/// Events as pipelines and other emulators send them, and what is none.
struct CloudEventRequestTests {
  private static let json = """
    {"value":{"name":"projects/demo-p/databases/(default)/documents/notes/n1",\
    "fields":{"n":{"doubleValue":0.1},"i":{"integerValue":"9007199254740993"}}}}
    """

  private static let structured = """
    {"specversion":"1.0","id":"e1","source":"//s","type":"google.cloud.firestore.document.v1.created"
    """

  @Test func `a trace in HTTP's own header is the event's if it has none`() throws {
    let traceparent = "00-11111111111111111111111111111111-2222222222222222-01"
    let body = Data(Self.json.utf8)
    let event = try read(binary("application/json", ["traceparent": traceparent]), body)
    #expect(event.traceparent == traceparent)
    let own = ["traceparent": traceparent, "ce-traceparent": traceparent.replacing("2", with: "3")]
    #expect(try read(binary("application/json", own), body).traceparent == own["ce-traceparent"])
  }

  @Test func `what can be read in two ways is no event`() throws {
    let body = Data(Self.json.utf8)
    for name in ["ce-id", "ce-own", "content-type"] {
      var twice = request(binary("application/json"), body)
      twice.repeatedHeaders = [name, "accept"]
      let error = statusError { try CloudEventRequest(twice).event() }
      #expect(error?.message == #"the header "\#(name)" stands there twice"#)
    }
    for value in ["a\tb", "%00", "a%0A", "%7f", "%C2%80"] {
      for name in ["ce-id", "ce-source", "ce-type"] {
        let error = refusal(binary("application/json", [name: value]), body)
        #expect(error?.message == #"the header "\#(name)" has control characters"#)
      }
    }
    for (more, reason) in [
      (#""id":"e2""#, #"the member "id" stands there twice"#),
      (#""subject":"\u0007""#, #"the event's "subject" has control characters"#),
    ] {
      let text = Self.structured + #",\#(more),"data":\#(Self.json)}"#
      #expect(refusal([:], Data(text.utf8))?.message == reason)
    }
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
    #expect(read.value?.fields == ["n": .double(0.1), "i": .integer(9_007_199_254_740_993)])
  }

  @Test func `what Google's emulator does to headers is forgiven`() throws {
    let headers = binary(
      "application/protobuf",
      [
        "ce-datacontenttype": "application/protobuf",
        "ce-source": "//firestore.googleapis.com/projects/projects/demo-p/databases/(default)",
        "ce-subject": "documents/notes/100% tè",
        "ce-document": "notes/100% tè",
        "ce-time": "2026-01-02T03:04:05Z",
      ]
    )
    let message = try EventMessage(EventFixtures.event(.created), as: .base64Protobuf)
    #expect(try read(headers, message.body).document == EventFixtures.name())
  }

  @Test func `an event of no document is told from one of a document`() throws {
    let empty = try CloudEventRequest(
      request(binary("application/protobuf"), Data("GgA=".utf8))
    )
    #expect(empty.isEmpty)
    let message = try EventMessage(EventFixtures.event(.deleted), as: .protobuf)
    let deleted = try CloudEventRequest(
      request(binary("application/protobuf"), message.body)
    )
    #expect(!deleted.isEmpty)
  }

  @Test func `superfluous percent-encoding is undone`() throws {
    let event = try read(
      binary(
        "application/json; charset=utf-8",
        ["ce-id": "%65%C3%A8", "ce-type": "google.cloud.firestore.document.v1.%63reated"]
      ),
      Data(Self.json.utf8)
    )
    #expect(event.id == "eè")
    #expect(event.type == EventType(.created))
  }

  @Test(arguments: [
    "%", "%4", "%G0", "%C3", "%FF%FE", "%C3%28", "%ED%A0%80",
  ])
  func `a header that isn't percent-encoded UTF-8 is refused by its name`(value: String) {
    let error = refusal(binary("application/json", ["ce-id": value]), Data(Self.json.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == #"the header "ce-id" is not percent-encoded UTF-8"#)
  }

  @Test(arguments: [
    "application/cloudevents-batch+json", "application/cloudevents-batch+json; charset=utf-8",
    "application/cloudevents+avro", "application/cloudeventsjson",
  ])
  func `a form that isn't known is refused by its name`(contentType: String) {
    let error = refusal(["content-type": contentType], Data("[]".utf8))
    #expect(error?.code == .unimplemented)
    #expect(error?.message.contains("event") == true)
  }

  @Test(arguments: ["", "text/plain", "application/xml", "application/octet-stream"])
  func `data of another content type is refused by its name`(contentType: String) {
    let error = refusal(binary(contentType), Data(Self.json.utf8))
    #expect(error?.code == .unimplemented)
    #expect(error?.message.contains("\"\(contentType)\"") == true)
  }

  @Test(arguments: [
    Data([0x0A]), Data([0x0A, 0x7F, 0x0A]), Data([0x0A, 0x02, 0x0A, 0xFF]), Data([0xFF, 0xFF]),
    // A name that isn't UTF-8.
    Data([0x0A, 0x03, 0x0A, 0x01, 0xFF]),
  ])
  func `protobuf that is cut off or none is refused`(body: Data) {
    let error = refusal(binary("application/protobuf"), body)
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "the event's data is no DocumentEventData in protobuf")
  }

  @Test func `every cut of a whole event is refused or speaks of less`() throws {
    let body = try EventMessage(EventFixtures.event(.updated), as: .protobuf).body
    for count in 1..<body.count {
      let cut = body.prefix(count)
      if let event = try? read(binary("application/protobuf"), Data(cut)) {
        #expect(event.updateMask.isEmpty)
      }
    }
  }

  @Test func `nesting without end is refused in either encoding`() throws {
    // value.fields["a"] of arrays in arrays.
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

  /// A field of any length.
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
    ("", "not valid JSON"),
    (#"{"value":"#, "not valid JSON"),
    (#"{},"id":"other""#, "not valid JSON"),
    (#"{"value":{"name":"notes/n1"}}"#, ""),
    (#"{"value":{"name":"projects/p/databases/d/documents/a"}}"#, ""),
  ])
  func `JSON that is no document's is refused`(body: String, message: String) {
    let error = refusal(binary("application/json"), Data(body.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
  }

  @Test(arguments: [
    (#","data":{},"data_base64":"""#, "both data and data_base64"),
    (#","data_base64":"?""#, "not base64"),
    (#","data_base64":7"#, "not base64"),
    (#","datacontenttype":"text/plain","data_base64":"eA==""#, "text/plain"),
    (#","datacontenttype":"application/protobuf","data_base64":"Cg==""#, "no DocumentEventData"),
    ("", "has no \"data\""),
  ])
  func `a structured event without usable data is refused`(members: String, message: String) {
    let error = refusal(
      ["content-type": "application/cloudevents+json"],
      Data((Self.structured + members + "}").utf8)
    )
    #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
  }

  @Test(arguments: ["ce-id", "ce-source", "ce-type"])
  func `an event without a required attribute is refused`(name: String) {
    var headers = binary("application/json")
    headers[name] = nil
    let error = refusal(headers, Data(Self.json.utf8))
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("\"\(name.dropFirst(3))\"") == true)
    headers[name] = ""
    #expect(refusal(headers, Data(Self.json.utf8))?.code == .invalidArgument)
  }

  @Test(arguments: ["0.3", "2.0", ""])
  func `another version of CloudEvents is refused`(version: String) {
    let headers = binary("application/json", ["ce-specversion": version])
    #expect(refusal(headers, Data(Self.json.utf8))?.code == .invalidArgument)
  }

  @Test func `a time that there can't be is refused`() throws {
    // create_time of 2^62 seconds.
    let name = Data("projects/p/databases/d/documents/a/b".utf8)
    let time = Data([0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40])
    let body = field(1, field(1, name) + field(3, time))
    let error = refusal(binary("application/protobuf"), body)
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("time") == true)
  }
}
