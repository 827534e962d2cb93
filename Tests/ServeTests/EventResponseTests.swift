import Core
import HTTPClient
import TestKit
import Testing

/// The responses to events and calls.
@Suite(.timeLimit(.minutes(10)))
struct EventResponseTests {
  private struct Fault {
    var data: String
    /// The expected status of the response to an event.
    var event: Int
    /// The expected status of the response to a call.
    var call: Int
  }

  @Test func `an event's status decides whether it is retried, and a call's names the failure`()
    async throws
  {
    let faults = [
      Fault(data: #"{"exit":65,"code":"NOT_FOUND"}"#, event: 200, call: 404),
      Fault(data: #"{"exit":65,"code":"FAILED_PRECONDITION"}"#, event: 200, call: 400),
      Fault(data: #"{"exit":77,"code":"PERMISSION_DENIED"}"#, event: 200, call: 403),
      Fault(data: #"{"exit":75,"code":"UNAVAILABLE"}"#, event: 503, call: 503),
      Fault(data: #"{"exit":75,"code":"RESOURCE_EXHAUSTED"}"#, event: 503, call: 429),
      Fault(data: #"{"exit":75,"code":"DEADLINE_EXCEEDED"}"#, event: 504, call: 504),
      Fault(data: #"{"exit":75,"code":"ABORTED"}"#, event: 503, call: 503),
      Fault(data: #"{"exit":70,"code":"UNIMPLEMENTED"}"#, event: 500, call: 501),
      Fault(data: #"{"exit":78,"code":"FAILED_PRECONDITION"}"#, event: 500, call: 500),
      // The exit code decides, even if the error code contradicts it.
      Fault(data: #"{"exit":70,"code":"INVALID_ARGUMENT"}"#, event: 500, call: 500),
      Fault(data: #"{"exit":70,"code":"RESOURCE_EXHAUSTED"}"#, event: 500, call: 500),
      Fault(data: #"{"exit":1,"code":"FAILED_PRECONDITION"}"#, event: 500, call: 500),
      Fault(data: #"{"exit":75,"code":"NOT_FOUND"}"#, event: 503, call: 503),
      Fault(data: #"{"exit":65,"code":"OK"}"#, event: 500, call: 500),
      Fault(data: #"{"crash":true}"#, event: 500, call: 500),
      Fault(data: #"{"print":"garbage"}"#, event: 500, call: 500),
      Fault(data: #"{"print":"{}"}"#, event: 500, call: 500),
    ]
    try await withServe { serve in
      for fault in faults {
        #expect(try await serve.deliver(fault.data).status == fault.event, "\(fault.data)")
        let call = try await serve.post("{\"data\":\(fault.data)}")
        #expect(call.status == fault.call, "\(fault.data)")
        #expect(call.json.at("error.message")?.string != nil)
        #expect(try await serve.post(fault.data).status == fault.call, "\(fault.data)")
      }
      let tired = try await serve.deliver(#"{"exit":75,"code":"UNAVAILABLE"}"#)
      #expect(tired.headers["retry-after"] == "3")
      #expect(tired.json["exitCode"] == .integer(75))
      for (milliseconds, seconds) in [(0, "1"), (-5_000, "1"), (Int.max, "86400")] {
        let data = #"{"exit":75,"code":"UNAVAILABLE","retryAfterMs":\#(milliseconds)}"#
        #expect(try await serve.deliver(data).headers["retry-after"] == seconds)
        #expect(try await serve.post(data).headers["retry-after"] == seconds)
      }
      let given = try await serve.log.wait { $0["status"] == .integer(200) }
      #expect(given.count == 3)
      #expect(given.allSatisfy { $0["severity"]?.string == "ERROR" })
      // Callers don't see which configuration is missing.
      let unset = try await serve.post(#"{"data":{"exit":78,"code":"FAILED_PRECONDITION"}}"#)
      #expect(!unset.text.contains("as asked"))
      #expect(
        !(try await serve.deliver(#"{"exit":78,"code":"INTERNAL"}"#)).text.contains("as asked")
      )
    }
  }

  @Test func `failures behind a function are logged, and not shown to callers`() async throws {
    let codes = [
      "UNAVAILABLE": "again", "DEADLINE_EXCEEDED": "again", "RESOURCE_EXHAUSTED": "later",
      "INTERNAL": "log", "UNKNOWN": "log", "ABORTED": "again", "DATA_LOSS": "log",
      "CANCELLED": "log",
    ]
    try await withServe { serve in
      for (code, word) in codes {
        let data = #"{"exit":\#(word == "log" ? 70 : 75),"code":"\#(code)"}"#
        let stream = HTTPHeader("Accept", "text/event-stream")
        for answer in [
          try await serve.post(data), try await serve.post(#"{"data":\#(data)}"#),
          try await serve.post(#"{"data":\#(data)}"#, [stream]),
        ] {
          #expect(!answer.text.contains("as asked"), "\(code)")
          #expect(answer.text.contains(#""message":"probe "#), "\(code)")
          #expect(answer.text.contains(word), "\(code)")
        }
      }
      let failures = try await serve.log.wait(3 * codes.count) { $0["status"] != nil }
      #expect(failures.allSatisfy { $0["message"]?.string?.hasSuffix(": as asked") == true })
      let refused = try await serve.post(#"{"data":{"exit":77,"code":"PERMISSION_DENIED"}}"#)
      #expect(refused.json.at("error.message")?.string == "as asked")
      // A response may contain the limit for each user, but not a limit for all users together.
      for (limit, isTold) in [
        (#","limit":"user""#, true), (#","limit":"everybody""#, false),
        (#","limit":"team""#, false),
        ("", false),
      ] {
        let message = "too many requests by one user: more than 2 a minute"
        let data = #"{"exit":75,"code":"RESOURCE_EXHAUSTED","message":"\#(message)"\#(limit)}"#
        let answer = try await serve.post(#"{"data":\#(data)}"#)
        #expect(answer.status == 429)
        #expect(
          (answer.json.at("error.message")?.string == message) == isTold,
          "\(limit) \(answer.text)"
        )
        #expect(answer.headers["retry-after"] == "3")
      }
    }
  }

  @Test func `a failure's message for callers replaces its own, unless that is for the caller`()
    async throws
  {
    let shown = #","callerMessage":"be patient""#
    try await withServe { serve in
      for (exit, code, rest, message) in [
        (75, "UNAVAILABLE", "", "be patient"), (75, "DEADLINE_EXCEEDED", "", "be patient"),
        (75, "RESOURCE_EXHAUSTED", "", "be patient"), (70, "INTERNAL", "", "be patient"),
        (75, "RESOURCE_EXHAUSTED", #","limit":"everybody""#, "be patient"),
        (75, "RESOURCE_EXHAUSTED", #","limit":"user""#, "as asked"),
        (65, "INVALID_ARGUMENT", "", "as asked"),
        (78, "UNAVAILABLE", "", "probe is not configured; the log says more"),
      ] {
        let data = #"{"exit":\#(exit),"code":"\#(code)"\#(rest)\#(shown)}"#
        for body in [data, #"{"data":\#(data)}"#] {
          let answer = try await serve.post(body)
          #expect(answer.json.at("error.message")?.string == message, "\(code) \(answer.text)")
        }
        let stream = try await serve.post(
          #"{"data":\#(data)}"#,
          [HTTPHeader("Accept", "text/event-stream")]
        )
        #expect(stream.text.contains(#""message":"\#(message)""#), "\(code) \(stream.text)")
      }
    }
  }

  @Test func `our function names no address to callers, and its log lines have one trace`()
    async throws
  {
    let environment = [
      "GOOGLE_CLOUD_PROJECT": "demo-p", "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9",
      "FIRESTORE_EMULATOR_HOST": "127.0.0.1:9", "GOOGLE_TRANSLATION_API_KEY": "k",
      "TRANSLATION_BASE_URL": "http://127.0.0.1:9",
    ]
    try await withServe(product: "translateMessage", environment: environment) { serve in
      let data = #"{"text":"Hello!","sourceLang":"en","targetLang":"it"}"#
      let answer = try await serve.post(#"{"data":\#(data)}"#)
      #expect(answer.status == 503)
      #expect(
        answer.json.at("error.message")?.string
          == "translateMessage can't be reached now; try again"
      )
      try await serve.log.wait(2) { $0["logging.googleapis.com/trace"] != nil }
      let texts = serve.log.texts.filter { $0.contains("googleapis.com/trace") }
      for text in texts {
        let parts = text.components(separatedBy: #""logging.googleapis.com/trace":"#)
        #expect(parts.count == 2, "\(text)")
        #expect(parts.last?.hasPrefix(#""projects/demo-p/traces/"#) == true, "\(text)")
      }
      #expect(texts.contains { $0.contains("127.0.0.1:9") })
    }
  }

  @Test func `a CONNECT is refused and closes the connection`() async throws {
    try await withServe { serve in
      let answer = try serve.exchange("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 405 "))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test func `calls get their protocol's format, and bare bodies a bare one`() async throws {
    try await withServe { serve in
      let call = try await serve.post(#"{"data":{"n":9007199254740993}}"#)
      #expect(call.status == 200)
      #expect(call.json.at("result.event.data.n") == .integer(9_007_199_254_740_993))
      let bare = try await serve.send("POST", "/any/path?x=1", body: Data(#"{"n":1}"#.utf8))
      #expect(bare.status == 200)
      #expect(bare.json.at("event.data.n") == .integer(1))
      #expect(bare.headers["etag"] == nil)
      for body in [#"{"data":{},"auth":{"uid":"marco"}}"#, #"{"data":{},"x":1}"#] {
        let answer = try await serve.post(body)
        #expect(answer.status == 400)
        #expect(answer.json.at("error.status")?.string == "INVALID_ARGUMENT")
      }
      for body in ["", "[]", "1", "{", "{\"a\":1}x", "\u{FEFF}"] {
        #expect(try await serve.post(body).status == 400, "\(body)")
      }
      let invalid = try await serve.send(body: Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]))
      #expect(invalid.status == 400)
    }
  }

  @Test func `a byte order mark before JSON is ignored`() async throws {
    try await withServe { serve in
      let call = try await serve.post("\u{FEFF}{\"a\":1}")
      #expect(call.json.at("event.data.a") == .integer(1), "\(call.text)")
      let event = try await serve.deliver("\u{FEFF}{\"a\":2}")
      #expect(event.json.at("result.event.data.a") == .integer(2), "\(event.text)")
    }
  }

  @Test func `a stream is counted at its end, with its final status`() async throws {
    try await withServe { serve in
      let accept = HTTPHeader("Accept", "text/event-stream")
      let failure = try await serve.post(#"{"data":{"exit":70,"code":"INTERNAL"}}"#, [accept])
      #expect(failure.status == 200)
      #expect(try await serve.post(#"{"data":{}}"#, [accept]).status == 200)
      let metrics = try await serve.send("GET", "/metrics").text
      #expect(metrics.contains(#"requests_total{kind="callable",status="500"} 1"#))
      #expect(metrics.contains(#"requests_total{kind="callable",status="200"} 1"#))
      #expect(metrics.contains("\nrequests_in_flight 0\n"))
    }
  }

  @Test func `a streaming caller gets the parts, then the result`() async throws {
    try await withServe { serve in
      let accept = HTTPHeader("Accept", "text/event-stream")
      let answer = try await serve.post(#"{"data":{"a":1}}"#, [accept])
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"]?.hasPrefix("text/event-stream") == true)
      let pieces = answer.text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
      #expect(pieces.count == 3)
      #expect(pieces[0] == #"data: {"message":{"number":0}}"#)
      #expect(pieces.last?.hasPrefix(#"data: {"result":{"event":"#) == true)
      let failed = try await serve.post(#"{"data":{"crash":true}}"#, [accept])
      #expect(failed.status == 200)
      #expect(failed.text.hasPrefix(#"data: {"error":{"message":"#))
    }
  }

  @Test func `a response is streamed only to a client that names the type`() async throws {
    try await withServe { serve in
      for (accept, isStreamed) in [
        ("text/event-stream, */*", true), ("Text/Event-Stream", true),
        ("application/json; q=0.1 ,text/event-stream; q=0.9", true),
        ("text/event-stream;charset=utf-8;Q=1.000", true), (",text/event-stream ,", true),
        ("text/event-stream;q=0", false), ("text/event-stream ; Q=0.000, */*", false),
        ("*/*", false), ("text/*", false), ("text/event-streams", false), ("", false),
      ] {
        let answer = try await serve.post(#"{"data":{}}"#, [HTTPHeader("Accept", accept)])
        let type = answer.headers["content-type"] ?? ""
        #expect(type.hasPrefix("text/event-stream") == isStreamed, "\(accept): \(type)")
      }
    }
  }

  @Test func `requests of platforms and robots don't reach the function`() async throws {
    try await withServe { serve in
      for path in ["/robots.txt", "/favicon.ico"] {
        #expect(try await serve.send("GET", path).status == 404)
        #expect(try await serve.send("POST", path, body: Data("{}".utf8)).status == 404)
      }
      #expect(try await serve.send("GET", "/healthz").text == "ok\n")
      let head = try serve.exchange(
        "HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      )
      #expect(head.lowercased().contains("\r\ncontent-length: 3\r\n"))
      #expect(head.hasSuffix("\r\n\r\n"))
      let other = try await serve.send("PUT", "/", body: Data("{}".utf8))
      #expect(other.status == 405)
      #expect(other.headers["allow"] == "POST")
      _ = try await serve.post(#"{"data":{}}"#)
      let metrics = try await serve.send("GET", "/metrics").text
      #expect(metrics.contains(#"requests_total{kind="callable",status="200"} 1"#))
      #expect(metrics.contains(#"request_duration_seconds_count{kind="callable"} 1"#))
      #expect(metrics.contains("\nworkers 1\n"))
      // Only the call may reach the function. Log lines come in order.
      try await serve.log.wait(forMessage: "begun")
      #expect(serve.log.all.filter { $0["message"]?.string == "begun" }.count == 1)
    }
  }

  @Test func `metrics and the log have the usage and latencies that a function reports`()
    async throws
  {
    try await withServe { serve in
      let usage = { (members: String) in
        #""usage":{"engines":[],"providerCalls":2,"cacheHits":0,"cacheMisses":0,"#
          + #""charactersBilled":0,"promptTokens":0,"completionTokens":0,"costMicros":0\#(members)}"#
      }
      let latencies = #""messageLatencies":{"pushMs":250.5,"readMs":-1,"openMs":"x","otherMs":1}"#
      _ = try await serve.deliver(
        #"{"report":{\#(usage(#","pushesSent":2,"pushesOpened":1"#)),\#(latencies)}}"#
      )
      _ = try await serve.deliver(#"{"report":{\#(usage("")),"messageLatencies":{"pushMs":8e99}}}"#)
      _ = try await serve.deliver("{}")
      let page = try await serve.send("GET", "/metrics").text
      for line in [
        "provider_calls_total 4", "translations_served_total 0", "pushes_sent_total 2",
        "pushes_opened_total 1", #"message_latency_seconds_count{until="push"} 1"#,
        #"message_latency_seconds_bucket{le="0.25",until="push"} 0"#,
        #"message_latency_seconds_bucket{le="0.5",until="push"} 1"#,
      ] {
        #expect(page.split(separator: "\n").contains(Substring(line)), Comment(rawValue: page))
      }
      #expect(!page.contains(#"until="read""#) && !page.contains(#"until="open""#))

      let lines = try await serve.log.wait(3) { $0["message"] == .string("event answered") }
      #expect(lines[0]["messageLatencies"] == .object(["pushMs": .number(250.5)]))
      #expect(lines[0]["pushesSent"] == .integer(2))
      #expect(lines[0]["pushesOpened"] == .integer(1))
      for line in lines.dropFirst() {
        for member in ["messageLatencies", "translationsServed", "pushesSent", "pushesOpened"] {
          #expect(line[member] == nil)
        }
      }
    }
  }

  @Test func `metrics are hidden where they are off`() async throws {
    for (setting, status) in [("off", 404), ("on", 200)] {
      try await withServe(environment: ["METRICS": setting]) {
        (serve: ServeProcess) async throws in
        #expect(try await serve.send("GET", "/metrics").status == status)
      }
    }
  }

  @Test func `a page of another origin may call and read the response`() async throws {
    try await withServe { serve in
      let origin = HTTPHeader("Origin", "https://chat.example")
      let preflight = try await serve.send(
        "OPTIONS",
        headers: [
          origin, HTTPHeader("Access-Control-Request-Method", "POST"),
          HTTPHeader("Access-Control-Request-Headers", "authorization,content-type"),
        ]
      )
      #expect(preflight.status == 204)
      #expect(preflight.headers["access-control-allow-headers"] == "authorization,content-type")
      let answer = try await serve.post(#"{"data":{}}"#, [origin])
      #expect(answer.headers["access-control-allow-origin"] == "https://chat.example")
      #expect(answer.headers["access-control-allow-credentials"] == nil)
    }
  }

  @Test(arguments: [
    ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    ("X-Cloud-Trace-Context", "4BF92F3577B34DA6A3CE929D0E0E4736/123;o=1"),
  ])
  func `a request's trace is passed to the function and into the log`(
    name: String,
    value: String
  ) async throws {
    try await withServe(environment: ["GOOGLE_CLOUD_PROJECT": "demo-p"]) { serve in
      let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
      let answer = try await serve.post(#"{"data":{}}"#, [HTTPHeader(name, value)])
      let traceparent = answer.json.at("result.invocation.traceparent")?.string
      #expect(traceparent?.hasPrefix("00-\(trace)-") == true)
      #expect(traceparent?.contains("00f067aa0ba902b7") == false)
      let lines = try await serve.log.wait(2) {
        $0["logging.googleapis.com/trace"]?.string == "projects/demo-p/traces/\(trace)"
      }
      #expect(lines.map { $0["message"]?.string } == ["begun", "callable answered"])
    }
  }
}
