import Core
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// The log lines for refused and failed requests.
@Suite(.timeLimit(.minutes(10)))
struct RefusalLogTests {
  /// A text in requests that no log line may contain.
  private static let secret = "s3cret"

  @Test func `each refused request leaves a warning without any of its text`() async throws {
    try await withServe(environment: ["GOOGLE_CLOUD_PROJECT": "demo-p"]) { serve in
      let secret = Self.secret
      let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
      let traceparent = HTTPHeader("traceparent", "00-\(trace)-00f067aa0ba902b7-01")
      _ = try await serve.post(#"{"data":{},"\#(secret)":1}"#, [traceparent])
      _ = try await serve.post(#"{"\#(secret)":1,"\#(secret)":1}"#)
      _ = try await serve.post("{}", [HTTPHeader("ce-\(secret)_", "1")])
      _ = try await serve.post(#"{"data":{}}"#, [HTTPHeader("Authorization", "Bearer \(secret)")])
      _ = try await serve.send("PUT", "/\(secret)", body: Data())
      _ = try await serve.send(
        headers: [HTTPHeader("Content-Type", "application/cloudevents+\(secret)")],
        body: Data("{}".utf8)
      )
      _ = try serve.exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
      _ = try serve.exchange("POST /\(secret) HTTP/1.1\r\nHost: a\r\nHost: \(secret)\r\n\r\n")
      _ = try serve.exchange("POST /\(secret) HTTP/1.1\r\nHost \(secret)\r\n\r\n")

      let lines = try await serve.log.wait(9) { $0["status"] != nil }
      #expect(
        lines.map { $0["kind"]?.string } == [
          "callable", "bare", "event", "callable", "request", "event", "request", "request",
          "request",
        ]
      )
      #expect(
        lines.map { $0["status"] }
          == [400, 400, 400, 401, 405, 415, 413, 400, 400].map { .integer($0) }
      )
      #expect(lines.allSatisfy { $0["severity"]?.string == "WARNING" })
      #expect(lines.allSatisfy { $0["code"]?.string != nil })
      #expect(lines.allSatisfy { $0["message"]?.string?.contains(" refused: ") == true })
      #expect(lines[1]["message"]?.string == "bare refused: the field … appears twice")
      #expect(
        lines[0]["logging.googleapis.com/trace"]?.string == "projects/demo-p/traces/\(trace)"
      )
      #expect(!serve.log.all.contains { $0.text.contains(secret) })
    }
  }

  @Test func `refused requests are counted, at every layer`() async throws {
    try await withServe(environment: ["METRICS": "on"]) { serve in
      _ = try await serve.send("PUT", "/", body: Data())
      _ = try await serve.send("GET", "/robots.txt")
      _ = try await serve.post("[]")
      _ = try serve.exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n")
      _ = try serve.exchange("POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      _ = try serve.exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
      let metrics = try await serve.send("GET", "/metrics").text
      let counts = metrics.split(separator: "\n").filter { $0.hasPrefix("requests_total{") }
      #expect(
        counts == [
          #"requests_total{kind="bare",status="400"} 1"#,
          #"requests_total{kind="request",status="400"} 1"#,
          #"requests_total{kind="request",status="404"} 1"#,
          #"requests_total{kind="request",status="405"} 1"#,
          #"requests_total{kind="request",status="413"} 1"#,
          #"requests_total{kind="request",status="505"} 1"#,
        ]
      )
      #expect(metrics.contains("\nrequests_in_flight 0\n"))
    }
  }

  @Test func `text quoted by a failure stays out of the log`() async throws {
    try await withServe { serve in
      let data = #"{"exit":65,"code":"NOT_FOUND","message":"no \"\#(Self.secret)\" here"}"#
      let call = try await serve.post(#"{"data":\#(data)}"#)
      #expect(call.text.contains(Self.secret))
      _ = try await serve.deliver(data)
      let lines = try await serve.log.wait(2) { $0["kind"] != nil }
      #expect(
        lines.map { $0["message"]?.string } == [
          "callable failed: no … here", "event failed and is not delivered again: no … here",
        ]
      )
      #expect(!serve.log.texts.contains { $0.contains(Self.secret) })
    }
  }

  @Test func `requests that aren't for the function leave no line`() async throws {
    try await withServe { serve in
      for path in ["/robots.txt", "/favicon.ico", "/healthz", "/metrics"] {
        _ = try await serve.send("GET", path)
      }
      _ = try await serve.post("[]")
      let lines = try await serve.log.wait { $0["kind"] != nil }
      #expect(lines.map { $0["status"] } == [.integer(400)])
    }
  }

  @Test func `refusals by kind, by load and at the end are logged`() async throws {
    try await withServe(environment: ["FUNCTION_SIGNATURE_TYPE": "http"]) { serve in
      _ = try await serve.deliver("{}")
      let lines = try await serve.log.wait { $0["kind"] != nil }
      #expect(lines.map { $0["status"] } == [.integer(404)])
      #expect(lines.map { $0["severity"]?.string } == ["WARNING"])
    }
    try await withGate { gate in
      try await withServe("--concurrency", "1", "--queue", "0") { serve in
        async let first = serve.deliver(gate.data)
        try await serve.log.wait(forMessage: "begun")
        let stream = HTTPHeader("Accept", "text/event-stream")
        for headers in [[], [stream]] {
          let answer = try await serve.post(#"{"data":{}}"#, headers)
          #expect(answer.status == 429)
          #expect(answer.headers["retry-after"] == "1")
        }
        #expect(try await serve.deliver("{}").status == 429)
        let lines = try await serve.log.wait(3) { $0["status"] == .integer(429) }
        #expect(lines.allSatisfy { $0["severity"]?.string == "WARNING" })

        serve.process.signal(SIGTERM)
        let body = #"{"data":{"a":"bc"}}"#
        let both =
          "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\n"
          + "Connection: close\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        var answer = ""
        while !answer.hasPrefix("HTTP/1.1 503 ") { answer = try serve.exchange(both) }
        #expect(answer.components(separatedBy: "HTTP/1.1 503 ").count == 3)
        let ending = try await serve.log.wait { $0["status"] == .integer(503) }
        #expect(ending.allSatisfy { $0["severity"]?.string == "WARNING" })
        gate.open()
        #expect(try await first.status == 200)
      }
    }
  }

  @Test func `a caller's fault is logged as a warning, any other failure as an error`()
    async throws
  {
    let faults = [
      (#"{"exit":65,"code":"NOT_FOUND"}"#, "WARNING"),
      (#"{"exit":77,"code":"PERMISSION_DENIED"}"#, "WARNING"),
      (#"{"exit":75,"code":"UNAVAILABLE"}"#, "ERROR"),
      (#"{"exit":78,"code":"FAILED_PRECONDITION"}"#, "ERROR"), (#"{"crash":true}"#, "ERROR"),
    ]
    try await withServe { serve in
      let stream = HTTPHeader("Accept", "text/event-stream")
      for (data, _) in faults {
        _ = try await serve.post(#"{"data":\#(data)}"#)
        _ = try await serve.post(#"{"data":\#(data)}"#, [stream])
        _ = try await serve.deliver(data)
      }
      let lines = try await serve.log.wait(15) { $0["status"] != nil }
      #expect(
        lines.map { $0["severity"]?.string } == faults.flatMap { [$0.1, $0.1, "ERROR"] }
      )
    }
  }
}
