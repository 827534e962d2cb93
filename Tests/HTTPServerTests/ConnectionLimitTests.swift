import HTTPServer
import TestKit
import Testing

/// The limits for the connections of a server that is open to the internet.
struct ConnectionLimitTests {
  @Test func `an incomplete request times out and closes its connection`() async throws {
    var limits = ConnectionLimits()
    limits.headTime = .milliseconds(200)
    limits.bodyTime = .milliseconds(200)
    try await withListener(limits) { port in
      for beginning in [
        "P", "POST / HTTP/1.1\r\nHost: a\r\nX: ",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      ] {
        let connection = try RawConnection(port: port)
        connection.send(beginning)
        let answer = try await answer(on: connection)
        #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), "\(beginning)")
        #expect(answer.contains(#""status":"DEADLINE_EXCEEDED""#), "\(beginning)")
      }
      let connection = try RawConnection(port: port)
      connection.send("HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 408 "))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a\r\nX: ",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
  ])
  func `a request that arrives byte by byte times out, too`(beginning: String) async throws {
    var limits = ConnectionLimits()
    limits.headTime = .milliseconds(200)
    limits.bodyTime = .milliseconds(200)
    try await withListener(limits) { port in
      let connection = try RawConnection(port: port)
      connection.send(beginning)
      let dripping = Task {
        while !Task.isCancelled {
          connection.send("X")
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      defer { dripping.cancel() }
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
      #expect(answer.contains(#""status":"DEADLINE_EXCEEDED""#))
    }
  }

  @Test(arguments: [
    "X: " + String(repeating: "x", count: 81_920),
    (0..<82).map { "X\($0): " + String(repeating: "x", count: 1_000) }.joined(separator: "\r\n"),
  ])
  func `headers of more than eighty kibibytes are refused`(headers: String) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(headers)\r\n\r\n")
      let refusal = try await answer(on: connection)
      #expect(refusal.hasPrefix("HTTP/1.1 400 "))
      #expect(refusal.contains("the request's headers are too large"))
      let other = try RawConnection(port: port)
      let fewer = headers.dropLast(4_096)
      other.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fewer)\r\n\r\n")
      #expect(try await answer(on: other).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `a body without an end is cut off when it is too large`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<4 { connection.send("200\r\n" + String(repeating: "x", count: 512) + "\r\n") }
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.lowercased().contains("connection: close"))
    }
  }

  @Test func `a body that is announced as too large isn't requested`() async throws {
    for limits in [ConnectionLimits(), nil] {
      try await withListener(limits) { port in
        for (length, answers) in [(1_025, ["413"]), (2, ["100", "200"])] {
          let connection = try RawConnection(port: port)
          connection.send(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n"
              + "Content-Length: \(length)\r\n\r\n"
          )
          if length == 2 { connection.send("{}") }
          let answer = try await answer(on: connection)
          let statuses = answer.split(separator: "HTTP/1.1 ").map { String($0.prefix(3)) }
          #expect(statuses == answers)
        }
      }
    }
  }

  @Test(arguments: [
    "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 2\r\nContent-Length: 3",
    "Transfer-Encoding: chunked\r\nContent-Length: 5", "Content-Length: 2\r\nContent-Length: 2",
    "Content-Length: 2, 2", "Content-Length: +2", "Content-Length: -2", "Content-Length : 2",
    "Content-Length: 99999999999999999999", "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
    "X: a\r\n b\r\nContent-Length: 2", "X: a\r\n\tContent-Length: 2",
    "X: a\rb\r\nContent-Length: 2",
    "X: a\0b\r\nContent-Length: 2", "X\u{0B}: a\r\nContent-Length: 2",
  ])
  func `an ambiguous request is refused and its connection closed`(
    headers: String
  ) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n0\r\n\r\n")
      connection.send("POST /smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(!answer.contains("smuggled"))
      #expect(!answer.contains(" 200 "))
    }
  }

  @Test func `pipelined requests are answered in order`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      let requests = ["a", "b", "c"].map { path in
        "POST /\(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
      }
      connection.send(
        requests.joined() + "GET /d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      )
      let answer = try await answer(on: connection)
      let paths = answer.split(separator: "\r\n").filter { $0.hasPrefix("/") }
      #expect(paths.map { String($0.prefix(2)) } == ["/a", "/b", "/c", "/d"])
    }
  }

  @Test func `HTTP/2 is refused by name`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 505 "))
      #expect(answer.contains("HTTP/2"))
    }
  }

  @Test(arguments: ["POST / HT", "POST / HTTP/1.1\r\nHost: a\r\n"])
  func `an incomplete header at the end of the input is refused with the reason`(half: String)
    async throws
  {
    try await withListener(ConnectionLimits()) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n" + half)
      connection.sendEnd()
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == ["200", "400"])
      #expect(answers.contains("the request's header section is incomplete"))
    }
  }

  @Test(arguments: [true, false])
  func `a connection without requests is closed`(hasLimits: Bool) async throws {
    let limits = hasLimits ? ConnectionLimits() : nil
    try await withListener(limits, idleTime: .milliseconds(200)) { port in
      #expect(try await answer(on: RawConnection(port: port)) == "")
      let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
      let heard = try await answered(request, port: port)
      #expect(heard.answer.hasSuffix("\r\n\r\n/a"))
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a connection that has ended makes room for another`() async throws {
    var limits = ConnectionLimits()
    limits.connections = 1
    try await withListener(limits) { port in
      for _ in 0..<3 {
        let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        // The server may not have noticed yet that the last connection has closed. Then the request
        // is sent again.
        let (connection, _) = try await answered(request, port: port, upTo: "/a")
        #expect(try await answer(on: RawConnection(port: port)) == "")
        withExtendedLifetime(connection) {}
      }
    }
  }

  @Test func `a connection over the limit is closed`() async throws {
    var limits = ConnectionLimits()
    limits.connections = 0
    try await withListener(limits) { port in
      let answer = try await answer(on: RawConnection(port: port))
      #expect(answer == "")
    }
  }
}
