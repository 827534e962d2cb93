import Core
import HTTPClient
import TestKit
import Testing

/// Ambiguous requests, which the server must refuse before they reach a function.
@Suite(.timeLimit(.minutes(10)))
struct AmbiguityTests {
  private static let json = "Content-Type: application/json\r\n"
  private static let event = "ce-specversion: 1.0\r\nce-id: 1\r\nce-source: s\r\nce-type: t\r\n"

  @Test func `a duplicate header is refused by name`() async throws {
    try await withServe { serve in
      for (headers, name) in [
        (Self.json + Self.event + "ce-id: 1\r\n", "ce-id"),
        (Self.json + Self.event + "ce-id: 2\r\n", "ce-id"),
        (Self.json + Self.event + "ce-own: a\r\nCE-Own: a\r\n", "ce-own"),
        (Self.json + Self.json + Self.event, "content-type"),
        (Self.json + "Content-Type: text/plain\r\n" + Self.event, "content-type"),
        (Self.json + Self.json, "content-type"),
        (Self.json + "Authorization: Bearer a\r\nauthorization: Bearer b\r\n", "authorization"),
      ] {
        let answer = try serve.exchange(
          "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 11\r\n"
            + headers + "\r\n{\"data\":{}}"
        )
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(headers)")
        #expect(answer.contains(#"\"\#(name)\" appears twice"#), "\(headers) \(answer)")
      }
      #expect(!serve.log.all.contains { $0["message"]?.string == "begun" })
    }
  }

  @Test func `a body with a duplicate member is refused by name`() async throws {
    try await withServe { serve in
      let structured = #"{"specversion":"1.0","id":"1","source":"s","type":"t""#
      for (body, name) in [
        (#"{"data":{},"data":{}}"#, "data"), (#"{"data":1,"auth":{"uid":"m"},"data":2}"#, "data"),
        (#"{"data":{},"auth":{"uid":"m"},"auth":{}}"#, "auth"), (#"{"a":1,"\u0061":2}"#, "a"),
        (structured + #","id":"2"}"#, "id"), (structured + #","data":1,"data":2}"#, "data"),
        (
          #"{"context":{"eventId":"1","eventType":"google.pubsub.topic.publish","resource":"r"},"#
            + #""data":{},"data":{}}"#, "data"
        ),
      ] {
        let answer = try await serve.post(body)
        #expect(answer.status == 400, "\(body)")
        #expect(answer.text.contains(#"\"\#(name)\" appears twice"#), "\(body) \(answer.text)")
      }
      let answer = try await serve.send(
        headers: [HTTPHeader("Content-Type", "application/cloudevents+json")],
        body: Data((structured + #","id":"2"}"#).utf8)
      )
      #expect(answer.status == 400)
      #expect(try await serve.deliver(#"{"a":1,"a":2}"#).status == 400)
      #expect(!serve.log.all.contains { $0["message"]?.string == "begun" })
      // A duplicate field inside `data` is the function's concern.
      #expect(try await serve.post(#"{"data":{"a":1,"a":2}}"#).status == 200)
    }
  }

  @Test(arguments: ["specversion", "id", "source", "type", "time"])
  func `an attribute of many marks is refused`(name: String) async throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 250_000)
    try await withServe { serve in
      let attributes = [
        "specversion": "1.0", "id": "1", "source": "s", "type": "t", "time": "2026-01-01T00:00:00Z",
      ].merging([name: marks]) { _, new in new }
      let members = attributes.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
      let answer = try await serve.post("{\(members)}")
      #expect(answer.status == 400)
      #expect(answer.text.contains(#"\"\#(name)\" is longer than 1024 bytes"#), "\(answer.text)")
      #expect(!serve.log.all.contains { $0["message"]?.string == "begun" })
    }
  }

  @Test func `attributes with control characters are refused`() async throws {
    try await withServe { serve in
      for value in ["%00", "a%0Ab", "a%0d%0aX: b", "%7F", "%C2%85", "a\tb"] {
        for name in ["ce-id", "ce-source", "ce-type", "ce-own"] {
          var headers = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "s", "ce-type": "t"]
          headers[name] = value
          let answer = try await serve.send(
            headers: headers.map { HTTPHeader($0.key, $0.value) },
            body: Data("{}".utf8)
          )
          #expect(answer.status == 400, "\(name): \(value)")
          #expect(answer.text.contains(#"\"\#(name)\" has control characters"#), "\(answer.text)")
        }
      }
      for (name, body) in [
        ("id", #"{"specversion":"1.0","id":"a\u0000","source":"s","type":"t"}"#),
        ("source", #"{"specversion":"1.0","id":"a","source":"s\n","type":"t"}"#),
        ("type", #"{"specversion":"1.0","id":"a","source":"s","type":"t\u009F"}"#),
        (
          "eventId",
          #"{"context":{"eventId":"\t","eventType":"google.pubsub.topic.publish","#
            + #""resource":"r"},"data":{}}"#
        ),
      ] {
        let answer = try await serve.post(body)
        #expect(answer.status == 400, "\(body)")
        #expect(answer.text.contains("has control characters"), "\(body)")
        #expect(answer.text.contains(name), "\(body)")
      }
      #expect(!serve.log.all.contains { $0["message"]?.string == "begun" })
    }
  }

  @Test func `a request with ambiguous framing ends its connection`() async throws {
    try await withServe { serve in
      let end =
        "Content-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n"
      for (head, reason) in [
        ("HTTP/1.1\r\nHost: a\r\nHost: b\r\nTransfer-Encoding: chunked", "more than one Host"),
        ("HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked", "Transfer-Encoding"),
        ("HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked", "HTTP/1.0"),
      ] {
        let answer = try serve.exchange("POST / \(head)\r\n\(end)Host: a\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(head)")
        #expect(answer.contains(reason), "\(head)")
        #expect(!answer.contains("ok\n"), "\(head)")
      }
    }
  }

  @Test func `HTTP/1.0 is answered in its own format`() async throws {
    try await withServe { serve in
      let answer = try serve.exchange(
        "POST / HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 13\r\n"
          + "Connection: keep-alive\r\n\r\n{\"data\":null}"
      )
      #expect(answer.contains(" 200 "))
      let stream = try serve.exchange(
        "POST / HTTP/1.0\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n"
          + "Content-Length: 11\r\n\r\n{\"data\":{}}"
      )
      #expect(stream.contains(" 200 "))
      #expect(stream.contains("\r\n\r\ndata: {\"message\""))
      #expect(stream.hasSuffix("\n\n"))
      #expect(!stream.lowercased().contains("transfer-encoding"))
    }
  }
}
