import Core
import HTTPClient
import TestKit
import Testing

/// Events in all formats that a platform may send, and in both formats that a function may expect.
@Suite(.timeLimit(.minutes(10)))
struct ServeEventTests {
  private static let pubsub = """
    {"context":{"eventId":"e1","timestamp":"2026-01-02T03:04:05.678Z",\
    "eventType":"google.pubsub.topic.publish","resource":{"service":"pubsub.googleapis.com",\
    "name":"projects/p/topics/t","type":"type.googleapis.com/google.pubsub.v1.PubsubMessage"}},\
    "data":{"@type":"x","data":"aGk="}}
    """

  @Test func `every attribute of a CloudEvent reaches the function`() async throws {
    try await withServe { serve in
      let binary = try await serve.deliver(
        #"{"n":1.10}"#,
        [
          HTTPHeader("ce-subject", "a%20b/%C3%A8%22"),
          HTTPHeader("ce-time", "2026-01-02T03:04:05Z"),
          HTTPHeader("ce-ownextension", "x"), HTTPHeader("traceparent", Self.trace),
        ],
        id: "%65%31"
      )
      #expect(binary.status == 200)
      let event = binary.json.at("result.event")
      #expect(event?["id"]?.string == "e1")
      #expect(event?["subject"]?.string == "a b/è\"")
      #expect(event?["ownextension"]?.string == "x")
      #expect(event?["datacontenttype"]?.string == "application/json")
      #expect(event?["traceparent"]?.string == Self.trace)
      #expect(event?["data"] == .object(["n": .number(1.1)]))

      let structured = try await serve.send(
        headers: [HTTPHeader("Content-Type", "application/cloudevents+json; charset=utf-8")],
        body: Data(
          #"{"specversion":"1.0","id":"1","source":"s","type":"t","x":1,"data":[true]}"#.utf8
        )
      )
      #expect(structured.json.at("result.event.data") == .array([.boolean(true)]))
      #expect(structured.json.at("result.event.x") == .integer(1))
    }
  }

  private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test(arguments: [
    ("text/plain", "hi è", #"{"data":"hi è"}"#),
    ("application/octet-stream", "hi", #"{"data_base64":"aGk="}"#),
    ("application/protobuf", "hi", #"{"data_base64":"aGk="}"#),
    ("application/vnd.own+json", "[1]", #"{"data":[1]}"#),
    ("application/json", "", "{}"),
  ])
  func `data of any type is passed on as in the JSON format`(
    type: String,
    body: String,
    expected: String
  ) async throws {
    try await withServe { serve in
      let answer = try await serve.send(
        headers: [
          HTTPHeader("Content-Type", type), HTTPHeader("ce-specversion", "1.0"),
          HTTPHeader("ce-id", "1"), HTTPHeader("ce-source", "s"), HTTPHeader("ce-type", "t"),
        ],
        body: Data(body.utf8)
      )
      let event = answer.json.at("result.event")?.object ?? [:]
      let data = event.filter { $0.key.string.hasPrefix("data") && $0.key != "datacontenttype" }
      #expect(JSONValue.object(data) == (try JSONValue(parsing: Data(expected.utf8))))
    }
  }

  @Test func `a document in protobuf becomes JSON`() async throws {
    try await withServe { serve in
      // The message is `value { name: "…/notes/n" fields { "a": integer 7 } }`.
      let name = Data("projects/p/databases/(default)/documents/notes/n".utf8)
      let field = Data([0x12, 0x07, 0x0A, 0x01, 0x61, 0x12, 0x02, 0x10, 0x07])
      let document = Data([0x0A, UInt8(name.count)]) + name + field
      let answer = try await serve.send(
        headers: [
          HTTPHeader("Content-Type", "application/protobuf"), HTTPHeader("ce-specversion", "1.0"),
          HTTPHeader("ce-id", "1"), HTTPHeader("ce-source", "s"),
          HTTPHeader("ce-type", "google.cloud.firestore.document.v1.created"),
        ],
        body: Data([0x0A, UInt8(document.count)]) + document
      )
      #expect(answer.json.at("result.event.data.value.fields.a.integerValue")?.string == "7")
    }
  }

  @Test func `events of either generation are converted into the other`()
    async throws
  {
    try await withServe { serve in
      let event = try await serve.post(Self.pubsub).json.at("result.event")
      #expect(event?["type"]?.string == "google.cloud.pubsub.topic.v1.messagePublished")
      #expect(event?["source"]?.string == "//pubsub.googleapis.com/projects/p/topics/t")
      #expect(event?.at("data.message.messageId")?.string == "e1")
      let unknown = try await serve.post(
        #"{"context":{"eventId":"1","eventType":"x","resource":"r"},"data":{}}"#
      )
      #expect(unknown.status == 400)
      #expect(unknown.text.contains(#"the event type \"x\" is not known"#))
    }
    try await withServe(environment: ["FUNCTION_SIGNATURE_TYPE": "event"]) { serve in
      let same = try await serve.post(Self.pubsub).json.at("result.event")
      #expect(same?.at("context.resource.name")?.string == "projects/p/topics/t")
      let answer = try await serve.post(
        #"{"message":{"data":"aGk=","messageId":"e1","publishTime":"2026-01-02T03:04:05Z"}}"#,
        [
          HTTPHeader("ce-specversion", "1.0"), HTTPHeader("ce-id", "e1"),
          HTTPHeader("ce-source", "//pubsub.googleapis.com/projects/p/topics/t"),
          HTTPHeader("ce-type", "google.cloud.pubsub.topic.v1.messagePublished"),
          HTTPHeader("ce-time", "2026-01-02T03:04:05Z"),
        ]
      )
      let event = answer.json.at("result.event")
      #expect(event?.at("context.eventType")?.string == "google.pubsub.topic.publish")
      #expect(event?["data"] == .object(["data": .string("aGk=")]))
    }
  }

  @Test func `an invocation uses its event's trace, else its request's`() async throws {
    try await withServe { serve in
      let other = Self.trace.replacing("4bf9", with: "5bf9")
      let attributes = #""specversion":"1.0","id":"1","source":"s","type":"t""#
      let own = HTTPHeader("ce-traceparent", Self.trace)
      let request = HTTPHeader("traceparent", other)
      let answers = [
        (try await serve.deliver("{}", [own]), Self.trace),
        (try await serve.deliver("{}", [own, request]), Self.trace),
        (
          try await serve.deliver("{}", [HTTPHeader("ce-traceparent", "bogus"), request]), other
        ),
        (try await serve.deliver("{}", [request]), other),
        (
          try await serve.post("{\(attributes),\"traceparent\":\"\(Self.trace)\"}", [request]),
          Self.trace
        ),
        (try await serve.post("{\(attributes)}", [request]), other),
        (try await serve.post(Self.pubsub, [request]), other),
      ]
      for (answer, trace) in answers {
        let traceparent = answer.json.at("result.invocation.traceparent")?.string
        #expect(traceparent?.prefix(36) == trace.prefix(36), "\(answer.text)")
      }
    }
  }

  @Test func `an invalid event is refused with the reason`() async throws {
    try await withServe { serve in
      for (value, reason) in [("%", "percent"), ("%FF%FE", "percent"), ("%C3%28", "percent")] {
        let answer = try await serve.deliver("{}", id: value)
        #expect(answer.status == 400)
        #expect(answer.text.contains(#"header \"ce-id\" is not \#(reason)"#), "\(answer.text)")
      }
      let connection = try RawConnection(port: serve.port)
      let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n"
      connection.send(bytes: Data(head.utf8) + Data("ce-id: ".utf8) + Data([0xFF, 0x0D, 0x0A]))
      connection.send("ce-specversion: 1.0\r\nce-source: s\r\nce-type: t\r\n\r\n{}")
      let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(answer.contains("is not UTF-8"))

      let missing = try await serve.post("{}", [HTTPHeader("ce-id", "1")])
      #expect(missing.status == 400 && missing.text.contains("specversion"))
      #expect(try await serve.deliver("{}", id: "").status == 400)
      #expect(try await serve.deliver("{", id: "1").status == 400)
      #expect(try await serve.deliver("{}", [HTTPHeader("ce-time", "now")]).status == 400)
      for type in ["application/cloudevents-batch+json", "application/cloudevents+avro"] {
        let answer = try await serve.send(
          headers: [HTTPHeader("Content-Type", type)],
          body: Data("[]".utf8)
        )
        #expect(answer.status == 415)
      }
      let document = try await serve.send(
        headers: [
          HTTPHeader("Content-Type", "text/plain"), HTTPHeader("ce-specversion", "1.0"),
          HTTPHeader("ce-id", "1"), HTTPHeader("ce-source", "s"),
          HTTPHeader("ce-type", "google.cloud.firestore.document.v1.created"),
        ],
        body: Data("hi".utf8)
      )
      #expect(document.status == 415 && document.text.contains("text/plain"))
      for body in ["", "[]", #"{"specversion":"0.3","id":"1","source":"s","type":"t"}"#] {
        let answer = try await serve.send(
          headers: [HTTPHeader("Content-Type", "application/cloudevents+json")],
          body: Data(body.utf8)
        )
        #expect(answer.status == 400, "\(body)")
      }
      #expect(!serve.log.all.contains { $0["message"]?.string == "begun" })
    }
  }

  @Test func `a service for events refuses calls, and one for calls refuses events`() async throws {
    for signature in ["cloudevent", "event"] {
      try await withServe(environment: ["FUNCTION_SIGNATURE_TYPE": signature]) {
        (serve: ServeProcess) async throws in
        #expect(try await serve.post(#"{"data":{}}"#).status == 404)
        #expect(try await serve.post("{}").status == 404)
      }
    }
    try await withServe(environment: ["FUNCTION_SIGNATURE_TYPE": "http"]) {
      (serve: ServeProcess) async throws in
      #expect(try await serve.deliver("{}").status == 404)
      #expect(try await serve.post(Self.pubsub).status == 404)
      #expect(try await serve.post(#"{"data":{}}"#).status == 200)
    }
    try await withServe(manifest: #"{"callable":false}"#) { (serve: ServeProcess) async throws in
      #expect(try await serve.post(#"{"data":{}}"#).status == 404)
      #expect(try await serve.deliver("{}").status == 200)
    }
  }
}
