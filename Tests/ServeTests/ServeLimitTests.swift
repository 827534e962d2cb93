import Core
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// Overload, time limits, crashes and shutdown.
@Suite(.timeLimit(.minutes(10)))
struct ServeLimitTests {
  @Test func `a request over the limits of running and waiting ones is refused at once`()
    async throws
  {
    try await withGate { gate in
      try await withServe("--concurrency", "1", "--queue", "1") { serve in
        async let first = serve.deliver(gate.data)
        try await serve.log.wait(forMessage: "begun")
        async let second = serve.post(#"{"data":{}}"#)
        while try await !serve.send("GET", "/metrics").text.contains("\ninvocations_waiting 1\n") {}
        #expect(try await serve.metric("requests_in_flight") == 2)
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
      var restarts = 2
      // On a busy machine a new process may not become ready within the time limit of one second.
      while true {
        let answer = try await serve.post(#"{"data":{}}"#)
        guard answer.status == 504 else {
          #expect(answer.status == 200)
          break
        }
        restarts += 1
      }
      let metrics = try await serve.send("GET", "/metrics").text
      #expect(metrics.contains("\nworker_restarts_total \(restarts)\n"))
      #expect(metrics.contains("\nworkers 1\n"))
    }
  }

  @Test func `a call that has waited until its deadline isn't started, and the response says so`()
    async throws
  {
    try await withServe(manifest: #"{"concurrency":1,"timeoutSeconds":1}"#) { serve in
      // The first call ends at its time limit. Then the second call may start just before its own
      // deadline. On a busy machine, more calls may start, because they arrive at different times.
      while try await Self.waitedInVain(of: 4, at: serve) < 2 {}
    }
  }

  /// Sends calls that exceed their time limit, and returns the number of those that weren't
  /// started.
  private static func waitedInVain(of count: Int, at serve: ServeProcess) async throws -> Int {
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<count {
        group.addTask {
          let answer = try await serve.post(#"{"data":{"sleep":60}}"#)
          #expect(answer.status == 504)
          return answer.text
        }
      }
      return try await group.reduce(0) { $0 + ($1.contains("had no time for the request") ? 1 : 0) }
    }
  }

  @Test func `a function that prints without end blocks no other request`() async throws {
    try await withTemporaryFolder { folder in
      try await withServe(manifest: #"{"timeoutSeconds":120}"#) { serve in
        async let call = serve.post(#"{"data":{"until":"\#(folder)/end"}}"#)
        try await serve.log.wait(forMessage: "begun")
        #expect(try await serve.send("GET", "/healthz").status == 200)
        try await makeFile("\(folder)/end", "")
        // A function killed for too much output would cause another status.
        #expect(try await call.status == 200)
      }
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

  @Test func `concurrent events are limited by the manifest`() async throws {
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

  @Test func `a thousand idle connections block no other request`() async throws {
    try await withServe { serve in
      var idle: [RawConnection] = []
      for _ in 0..<1_000 { idle.append(try RawConnection(port: serve.port)) }
      #expect(try await serve.post(#"{"data":{}}"#).status == 200)
      idle[500].send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: try idle[500].readToEnd(), as: UTF8.self)
      #expect(answer.hasSuffix("ok\n"))
    }
  }

  @Test func `accepted requests are answered after SIGTERM, and later ones refused`()
    async throws
  {
    try await withGate { gate in
      try await withServe { serve in
        async let event = serve.deliver(gate.data)
        async let call = serve.post(#"{"data":\#(gate.data)}"#)
        let begun = try await serve.log.wait(2) { $0["message"]?.string == "begun" }
        serve.process.signal(SIGTERM)
        // At shutdown, the server closes its port first.
        while (try? RawConnection(port: serve.port)) != nil {}
        gate.open()
        #expect(try await event.status == 200)
        #expect(try await call.status == 200)
        #expect(await serve.process.exitStatus() == .exited(0))
        expectEnd(of: begun)
      }
    }
  }

  @Test(arguments: [3, 400])
  func `pipelined requests behind a running one at SIGTERM are answered in order`(
    waiting: Int
  ) async throws {
    try await withGate { gate in
      try await withServe { serve in
        let requests = [gate.data] + Array(repeating: "{}", count: waiting)
        let connection = try RawConnection(port: serve.port)
        connection.send(
          requests.map {
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)"
          }.joined()
        )
        try await serve.log.wait(forMessage: "begun")
        serve.process.signal(SIGTERM)
        while (try? RawConnection(port: serve.port)) != nil {}
        gate.open()
        let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
        let answers = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(answers.first?.hasPrefix("200 ") == true)
        #expect(answers.dropFirst().allSatisfy { $0.hasPrefix("503 ") })
        #expect(answers.dropFirst().allSatisfy { $0.contains("\r\nretry-after: 1\r\n") })
        // A client that has sent hundreds of requests may get no response to the last ones, because
        // the server hasn't read them.
        #expect(answers.count == requests.count || (waiting == 400 && answers.count > 3))
        let ends = answers.map { $0.lowercased().contains("\r\nconnection: close\r\n") }
        #expect(ends == Array(repeating: false, count: answers.count - 1) + [true])
        #expect(answers.last?.hasSuffix("}") == true)
        #expect(await serve.process.exitStatus() == .exited(0))
      }
    }
  }

  @Test func `an incomplete request at SIGTERM is refused with a retry`() async throws {
    try await withServe { serve in
      let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
      let refused = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n[]"
      let healthy = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
      let halves = ["POST / HT", head + "{", healthy + "POST / HT", refused + head + "{"]
      let connections = try halves.map { half in
        let connection = try RawConnection(port: serve.port)
        connection.send(half)
        return connection
      }
      #expect(try await serve.send("GET", "/healthz").status == 200)
      try await serve.log.wait { $0["status"] == .integer(400) }
      // A later response shows that the response to the invalid request was sent.
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
      let lines = try await serve.log.wait(5) { $0["kind"] != nil }
      #expect(lines.map { $0["status"] } == [400, 503, 503, 503, 503].map { .integer($0) })
      #expect(lines.allSatisfy { $0["severity"]?.string == "WARNING" })
    }
  }

  @Test func `a request that doesn't end in time after SIGTERM is refused with a retry`()
    async throws
  {
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
      expectEnd(of: begun)
    }
  }

  /// Checks that the processes in these log lines have ended.
  private func expectEnd(of lines: [JSONValue]) {
    for line in lines {
      guard case .integer(let pid) = line["pid"] else {
        Issue.record("the log line has no process ID")
        continue
      }
      #expect(kill(pid_t(pid), 0) != 0)
    }
  }
}
