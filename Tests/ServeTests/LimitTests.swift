import HTTPTransport
import JSONCoding
import Platform
import Processes
import TestKit
import Testing

/// What is too much, takes too long, or breaks.
@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  @Test func `more than can be done or wait is refused at once`() async throws {
    try await withGate { gate in
      try await withServe("--concurrency", "1", "--queue", "1") { serve in
        async let first = serve.deliver(gate.data)
        try await serve.log.wait(forMessage: "begun")
        async let second = serve.post(#"{"data":{}}"#)
        while try await !serve.send("GET", "/metrics").text.contains("\ninvocations_waiting 1\n") {}
        let third = try await serve.post(#"{"data":{}}"#)
        #expect(third.status == 429)
        #expect(third.headers["retry-after"] == "1")
        #expect(third.json.at("error.status")?.string == "RESOURCE_EXHAUSTED")
        let event = try await serve.deliver("{}")
        #expect(event.status == 429)
        #expect(event.headers["retry-after"] == "1")
        gate.open()
        #expect(try await first.status == 200)
        #expect(try await second.status == 200)
      }
    }
  }

  @Test func `a function that takes too long is killed and replaced`() async throws {
    try await withServe(manifest: #"{"timeoutSeconds":1}"#) { serve in
      #expect(try await serve.deliver(#"{"sleep":60}"#).status == 504)
      let call = try await serve.post(#"{"data":{"sleep":60}}"#)
      #expect(call.status == 504)
      #expect(call.json.at("error.status")?.string == "DEADLINE_EXCEEDED")
      #expect(try await serve.post(#"{"data":{}}"#).status == 200)
      let metrics = try await serve.send("GET", "/metrics").text
      #expect(metrics.contains("\nworker_restarts_total 2\n"))
      #expect(metrics.contains("\nworkers 1\n"))
    }
  }

  @Test func `a function that crashes is replaced`() async throws {
    try await withServe { serve in
      for _ in 0..<3 {
        #expect(try await serve.deliver(#"{"crash":true}"#).status == 500)
        #expect(try await serve.deliver("{}").status == 200)
      }
      let metrics = try await serve.send("GET", "/metrics").text
      #expect(metrics.contains("\nworker_restarts_total 3\n"))
    }
  }

  @Test func `events run beside each other, as many as the manifest says`() async throws {
    try await withGate { gate in
      try await withServe(manifest: #"{"concurrency":3}"#) { serve in
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<3 { group.addTask { try await serve.deliver(gate.data).status } }
          try await serve.log.wait(forMessage: "begun", 3)
          gate.open()
          for try await status in group { #expect(status == 200) }
        }
      }
    }
  }

  @Test func `a script that runs once per event is served, too`() async throws {
    try await withServe(manifest: #"{"worker":false}"#) { serve in
      let answer = try await serve.post(#"{"data":{"a":1}}"#)
      #expect(answer.json.at("result.event.data.a") == .integer(1))
    }
  }

  @Test func `a body of more than ten mebibytes is refused, declared or not`() async throws {
    try await withServe { serve in
      let large = Data(repeating: 0x20, count: 10 << 20)
      #expect(try await serve.send(body: large + Data("{}".utf8)).status == 413)
      #expect(try await serve.send(body: large.dropFirst(2) + Data("{}".utf8)).status == 200)
      let endless = try RawConnection(port: serve.port)
      endless.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
      for _ in 0..<170 { endless.send(chunk) }
      let answer = String(decoding: try endless.readToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func `a thousand idle connections are in nobody's way`() async throws {
    try await withServe { serve in
      var idle: [RawConnection] = []
      for _ in 0..<1_000 { idle.append(try RawConnection(port: serve.port)) }
      #expect(try await serve.post(#"{"data":{}}"#).status == 200)
      idle[500].send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: try idle[500].readToEnd(), as: UTF8.self)
      #expect(answer.hasSuffix("ok\n"))
    }
  }

  @Test func `what was accepted is answered after SIGTERM, what comes then is refused`()
    async throws
  {
    try await withGate { gate in
      try await withServe { serve in
        async let event = serve.deliver(gate.data)
        async let call = serve.post(#"{"data":\#(gate.data)}"#)
        try await serve.log.wait(forMessage: "begun", 2)
        serve.process.signal(SIGTERM)
        // The port closes first.
        while (try? RawConnection(port: serve.port)) != nil {}
        gate.open()
        #expect(try await event.status == 200)
        #expect(try await call.status == 200)
        #expect(await serve.process.exitStatus() == .exited(0))
      }
    }
  }

  @Test func `a request that isn't whole at SIGTERM is for another instance`() async throws {
    try await withServe { serve in
      let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
      let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
      let connections = try ["POST / HT", head + "{", health + head + "{"].map { half in
        let connection = try RawConnection(port: serve.port)
        connection.send(half)
        return connection
      }
      #expect(try await serve.send("GET", "/healthz").status == 200)
      serve.process.signal(SIGTERM)
      for connection in connections {
        let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
        #expect(answer.contains("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.contains("\r\nretry-after: 1\r\n"))
        #expect(answer.contains("\r\nconnection: close\r\n"))
        #expect(answer.contains(#""status":"UNAVAILABLE""#))
      }
      #expect(await serve.process.exitStatus() == .exited(0))
      let lines = try await serve.log.wait(3) { $0["kind"] != nil }
      #expect(lines.map { $0["status"] } == Array(repeating: .integer(503), count: 3))
      #expect(lines.allSatisfy { $0["severity"]?.string == "WARNING" })
    }
  }

  @Test func `what doesn't end in time after SIGTERM is for another instance`() async throws {
    let manifest = #"{"timeoutSeconds":600,"concurrency":3}"#
    try await withServe("--drain", "0.2", manifest: manifest) { serve in
      let sleep = #"{"sleep":600}"#
      async let event = serve.deliver(sleep)
      async let call = serve.post(#"{"data":\#(sleep)}"#)
      async let stream = serve.post(
        #"{"data":\#(sleep)}"#,
        [HTTPHeader("Accept", "text/event-stream")]
      )
      let begun = try await serve.log.wait(3) { $0["message"]?.string == "begun" }
      async let waiting = serve.post(sleep)
      while try await !serve.send("GET", "/metrics").text.contains("\ninvocations_waiting 1\n") {}

      serve.process.signal(SIGTERM)
      for answer in [try await event, try await call, try await waiting] {
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "1")
        #expect(answer.headers["connection"] == "close")
        #expect(answer.json.at("error.status")?.string == "UNAVAILABLE")
      }
      let end = try await stream
      #expect(end.status == 200)
      #expect(end.text.hasPrefix(#"data: {"error":{"message":"#))
      #expect(end.text.contains(#""status":"UNAVAILABLE""#))
      #expect(await serve.process.exitStatus() == .exited(0))
      for line in begun {
        guard case .integer(let pid) = line["pid"] else {
          Issue.record("a line without the process")
          continue
        }
        #expect(kill(pid_t(pid), 0) != 0)
      }
    }
  }
}
