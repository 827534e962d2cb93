import Foundation
import HTTPServer
import TestKit
import Testing

/// Pipelined requests, which arrive before earlier requests are answered.
struct PipeliningTests {
  private static let halves = [
    "POST / HT", "POST / HTTP/1.1\r\nHost: a\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{",
  ]

  private static var brief: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.headTime = .milliseconds(200)
    limits.bodyTime = .milliseconds(200)
    return limits
  }

  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  /// Waits as long as the server waits for the rest of an incomplete request.
  private static func waitForDeadline(port: Int) async throws {
    let connection = try RawConnection(port: port)
    connection.send("P")
    #expect(try await answer(on: connection).hasPrefix("HTTP/1.1 408 "))
  }

  @Test(arguments: [["/gate"], ["/gate/stream"], ["/a", "/gate"]], halves)
  func `an incomplete request doesn't cut earlier responses, and has its own time limit`(
    paths: [String],
    half: String
  ) async throws {
    let gate = Gate()
    try await withListener(Self.brief, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(paths.map(Self.get).joined() + half)
      try await Self.waitForDeadline(port: port)
      gate.open()
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == paths.map { _ in "200" } + ["408"])
      #expect(answers.contains(paths.last == "/gate" ? "/gate" : "three\r\n0\r\n\r\nHTTP/1.1 408 "))
    }
  }

  @Test(arguments: halves)
  func `a connection isn't idle while a request runs`(half: String) async throws {
    let gate = Gate()
    try await withListener(Self.brief, idleTime: .milliseconds(200), gate: gate) { port in
      async let heard = answered(Self.get("/gate") + half, port: port)
      await gate.reached()
      #expect(try await answer(on: RawConnection(port: port)) == "")
      gate.open()
      let answers = try await heard.answer
      #expect(statuses(answers) == ["200", "408"])
    }
  }

  @Test(arguments: halves)
  func `an incomplete request times out even if it arrived with the request before`(
    half: String
  ) async throws {
    try await withListener(Self.brief) { port in
      for first in [
        Self.get("/a"), "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
        "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ] {
        let connection = try RawConnection(port: port)
        connection.send(first + half)
        #expect(try await statuses(answer(on: connection)) == ["200", "408"], "\(first)")
      }
    }
  }

  @Test(arguments: halves)
  func `an incomplete request after a begun response is refused when the server ends`(
    half: String
  ) async throws {
    let (gate, end) = (Gate(), Gate())
    try await withListener(gate: gate, end: end) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.get("/gate/stream") + half)
      let first = try await answer(on: connection, upTo: "one \r\n")
      end.open()
      while (try? RawConnection(port: port)) != nil { await Task.yield() }
      gate.open()
      #expect(try await statuses(first + answer(on: connection)) == ["200", "503"])
    }
  }

  /// Java's client and `curl --http2` offer HTTP/2 in a connection's first request.
  @Test(arguments: ["", "{}"])
  func `a connection whose client offers another protocol ends with the response`(
    body: String
  ) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "POST /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
          + "HTTP2-Settings: AAMAAABk\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          + Self.get("/b")
      )
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == ["200"])
      #expect(answers.contains("connection: close\r\n"))
    }
  }

  @Test func `line ends after a request begin no other`() async throws {
    try await withListener(Self.brief) { port in
      let connection = try RawConnection(port: port)
      connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}\r\n")
      let first = try await answer(on: connection, upTo: "/a")
      connection.send("\r\n")
      try await Self.waitForDeadline(port: port)
      connection.send("GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(try await statuses(first + answer(on: connection)) == ["200", "200"])
    }
  }

  @Test(arguments: ["/gate", "/gate/stream"], [true, false])
  func `a body is requested once the requests before it are answered`(
    path: String,
    hasLimits: Bool
  ) async throws {
    let gate = Gate()
    try await withListener(hasLimits ? ConnectionLimits() : nil, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(
        Self.get("/a") + Self.get(path) + "POST /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
          + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      )
      gate.open()
      let first = try await answer(on: connection, upTo: "HTTP/1.1 100 Continue\r\n\r\n")
      #expect(statuses(first) == ["200", "200", "100"])
      connection.send("{}")
      let last = try await answer(on: connection)
      #expect(statuses(last) == ["200"])
      #expect(last.hasSuffix("/b"))
    }
  }

  @Test(arguments: [true, false])
  func `a body that has already arrived isn't requested`(hasLimits: Bool) async throws {
    let gate = Gate()
    try await withListener(hasLimits ? ConnectionLimits() : nil, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(
        Self.get("/gate") + "POST /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
          + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
      )
      gate.open()
      #expect(try await statuses(answer(on: connection)) == ["200", "200"])
    }
  }

  @Test(arguments: [(0, 10_000), (1_000, 4_000)])
  func `the number of requests read ahead is bounded`(
    bodyLength: Int,
    count: Int
  ) async throws {
    let (gate, waiting) = (Gate(), Waiting())
    // The server may stop reading in the middle of a request. The request's time limit begins when
    // the server continues.
    try await withListener(gate: gate, waiting: waiting) { port in
      let connection = try RawConnection(port: port)
      let body = String(repeating: "x", count: bodyLength)
      let padding = String(repeating: "x", count: 400)
      let request =
        "POST /a HTTP/1.1\r\nHost: a\r\nPadding: \(padding)\r\nContent-Length: \(bodyLength)\r\n\r\n"
        + body
      connection.send(Self.get("/gate"))
      // The sender blocks while the server doesn't read.
      Thread.detachNewThread {
        for _ in 0..<count { connection.send(request) }
        connection.sendEnd()
      }
      try await withListener(Self.brief) { try await Self.waitForDeadline(port: $0) }
      gate.open()
      #expect(try await statuses(answer(on: connection)).count == count + 1)
    }
    // The server reads up to 256 KiB at once, and checks the limit after that.
    #expect(waiting.most < count / 2)
  }
}
