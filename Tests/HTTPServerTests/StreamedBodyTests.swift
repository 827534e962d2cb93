import Core
import Foundation
import HTTPServer
import TestKit
import Testing

/// Bodies that the service reads while they arrive.
@Suite("A streamed body")
struct StreamedBodyTests {
  private static func head(_ path: String, length: Int, _ fields: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(fields)\r\n"
  }

  private static let end = "Connection: close\r\n"

  @Test func `is read before it has arrived completely`() async throws {
    let gate = Gate()
    try await withListener(nil, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.head("/sum", length: 10, Self.end) + "12345")
      // The gate is open once the service has read the first half.
      await gate.pass()
      connection.send("67890")
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n10"))
    }
  }

  @Test func `may be larger than the policy's limit, in chunks and with a length`() async throws {
    try await withListener(nil) { port in
      let connection = try RawConnection(port: port)
      let text = String(repeating: "x", count: 100_000)
      connection.send(Self.head("/sum", length: 100_000) + text)
      connection.send(
        "POST /sum HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\(Self.end)\r\n"
          + "186a0\r\n\(text)\r\n3\r\nabc\r\n0\r\n\r\n"
      )
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == ["200", "200"])
      #expect(answers.contains("\r\n\r\n100000HTTP/1.1"))
      #expect(answers.hasSuffix("\r\n\r\n100003"))
    }
  }

  @Test func `isn't read from the client faster than by the service`() async throws {
    let gate = Gate()
    try await withListener(nil, gate: gate) { port in
      let length = 64 << 20
      let connection = try RawConnection(port: port)
      connection.send(Self.head("/sum/gate", length: length, Self.end))
      let sent = Task.detached {
        // This blocks while the server doesn't read.
        for _ in 0..<64 { connection.send(bytes: Data(count: 1 << 20)) }
        return gate.isOpen
      }
      await gate.reached()
      // The sockets' buffers and the waiting bytes are a few mebibytes.
      try await Task.sleep(for: .milliseconds(200))
      gate.open()
      #expect(await sent.value)
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n\(length)"))
    }
  }

  @Test func `that isn't read doesn't disturb the response, which ends the connection`()
    async throws
  {
    try await withListener(nil) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.head("/early", length: 10) + "12345")
      let answers = try await answer(on: connection)
      #expect(statuses(answers) == ["200"])
      #expect(answers.lowercased().contains("\r\nconnection: close"))
      #expect(answers.hasSuffix("early"))
    }
  }

  @Test func `that was read keeps the connection open`() async throws {
    try await withListener(nil) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.head("/sum", length: 3) + "abc")
      connection.send(Self.head("/sum", length: 2) + "de")
      connection.send("GET /last HTTP/1.1\r\nHost: a\r\n\(Self.end)\r\n")
      #expect(statuses(try await answer(on: connection)) == ["200", "200", "200"])
    }
  }

  @Test func `is asked for with 100 Continue after the responses before it`() async throws {
    try await withListener(nil) { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
      connection.send(Self.head("/sum", length: 3, "Expect: 100-continue\r\n\(Self.end)"))
      let first = try await answer(on: connection, upTo: "HTTP/1.1 100 Continue\r\n\r\n")
      #expect(statuses(first) == ["200", "100"])
      connection.send("abc")
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n3"))
    }
  }

  @Test(arguments: [
    "POST /failure HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
    "POST /failure HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "POST /failure HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
  ])
  func `that is cut off or malformed is an error for the service`(request: String) async throws {
    let gate = Gate()
    try await withListener(nil, gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(request)
      connection.sendEnd()
      #expect(try await answer(on: connection).contains("the body is cut off or malformed"))
      #expect(gate.isOpen)
    }
  }

  @Test func `of a client that stalls ends with the idle time`() async throws {
    let gate = Gate()
    try await withListener(nil, idleTime: .milliseconds(300), gate: gate) { port in
      let connection = try RawConnection(port: port)
      connection.send(Self.head("/failure", length: 9) + "abc")
      #expect(try await answer(on: connection) == "")
      await gate.pass()
    }
  }
}
