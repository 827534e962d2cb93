import Foundation
import HTTPServer
import TestKit
import Testing

/// The content of responses, and clients that read it slowly or never.
struct ResponseTests {
  @Test func `invalid headers are left out or repaired, and the response is sent`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /odd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let head = try await answer(on: connection).components(separatedBy: "\r\n\r\n")[0]
      #expect(
        head.components(separatedBy: "\r\n") == [
          "HTTP/1.1 200 OK", "content-type: text/plain; charset=utf-8", "x: 4  5", "date: today",
          "content-length: 3", "connection: close",
        ]
      )
    }
  }

  @Test func `several Origin headers are passed on together`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /origin HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nOrigin: c\r\n")
      connection.send("Connection: close\r\n\r\n")
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n[b, c]"))
    }
  }

  @Test(arguments: [
    ("http://a/b/c?d", "/b/c"), ("HTTPS://a", "/"), ("http://a?d=/e", "/"),
    ("http://a/b://c", "/b:/c"), ("/b://c", "/b:/c"),
  ])
  func `a request with a full URL is answered like others`(
    target: String,
    path: String
  ) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n\(path)"))
    }
  }

  @Test(arguments: ["HTTP/1.0", "HTTP/1.1\r\nConnection: close", "HTTP/1.1"], [true, false])
  func `a last response may be read slowly`(
    end: String,
    isHalfClosed: Bool
  ) async throws {
    var limits = ConnectionLimits()
    limits.lingering = .milliseconds(1)
    limits.headTime = .milliseconds(200)
    try await withListener(limits) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /large \(end)\r\nHost: a\r\n\r\n")
      if isHalfClosed { connection.sendEnd() }
      let beginning = try await answer(on: connection, upTo: "x")
      try await waitForDeadline(port: port)
      connection.sendEnd()
      let all = try await beginning + answer(on: connection)
      #expect(all.hasSuffix("\r\n\r\n" + PathService.large))
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["Connection: close\r\n", ""])
  func `a client that reads no response is disconnected in the end`(field: String) async throws {
    var limits = ConnectionLimits()
    limits.connections = 1
    try await withListener(limits, idleTime: .milliseconds(200)) { port in
      let large = "GET /large HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
      let (connection, beginning) = try await answered(large, port: port, upTo: "x") {
        if field.isEmpty { $0.sendEnd() }
      }
      #expect(statuses(beginning) == ["200"])
      // The closed connection has made room for another one.
      let other = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      #expect(try await statuses(answered(other, port: port).answer) == ["200"])
      withExtendedLifetime(connection) {}
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func `a client that doesn't read a stream is disconnected, too`(hasLimits: Bool) async throws {
    let gate = Gate()
    let limits = hasLimits ? ConnectionLimits() : nil
    try await withListener(limits, idleTime: .seconds(1), gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
      await gate.pass()
      withExtendedLifetime(connection) {}
    }
  }

  @Test func `unread responses make room for one that is read`() async throws {
    try await withListener(unread: UnreadResponses(limit: 1 << 20)) { port in
      let request = "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let slow = try RawConnection(port: port)
      slow.send(request)
      let beginning = try await answer(on: slow, upTo: "x")
      let quick = try RawConnection(port: port)
      quick.send(request)
      #expect(try await answer(on: quick).hasSuffix("\r\n\r\n" + PathService.large))
      let rest = try await answer(on: slow)
      #expect(beginning.utf8.count + rest.utf8.count < PathService.large.utf8.count)
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func `the server's end doesn't wait for a client that doesn't read`(hasLimits: Bool) async throws
  {
    let (end, ended) = (Gate(), Gate())
    let limits = hasLimits ? ConnectionLimits() : nil
    try await withListener(limits, end: end, shutdown: .milliseconds(100), ended: ended) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await statuses(answer(on: connection, upTo: "x")) == ["200"])
      end.open()
      await ended.pass()
    }
  }

  @Test func `the next request waits while the response isn't read`() async throws {
    let gate = Gate()
    var limits = ConnectionLimits()
    limits.headTime = .milliseconds(200)
    try await withListener(limits, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      connection.send("GET /open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      _ = try await answer(on: connection, upTo: "x")
      try await waitForDeadline(port: port)
      #expect(!gate.isOpen)
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n/open"))
      #expect(gate.isOpen)
    }
  }

  @Test(arguments: ["204", "304"])
  func `a response without a body has none`(status: String) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /status/\(status) HTTP/1.1\r\nHost: a\r\n\r\n")
      connection.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == [status, "200"])
      #expect(answers.contains("\r\n\r\nHTTP/1.1 200 "))
    }
  }

  /// Waits as long as the server waits for the rest of an incomplete request.
  private func waitForDeadline(port: Int) async throws {
    let connection = try RawConnection(port: port)
    connection.send("P")
    #expect(try await answer(on: connection).hasPrefix("HTTP/1.1 408 "))
  }
}
