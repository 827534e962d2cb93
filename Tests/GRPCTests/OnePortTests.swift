import Core
import GRPC
import HTTPServer
import Logging
import NIOCore
import Services
import Testing

@testable import echoServer

/// A port with gRPC and HTTP/1.1, on both loopback addresses.
@Suite(.timeLimit(.minutes(10)))
struct OnePortTests {
  private func get(_ target: String, port: Int, host: String = "127.0.0.1") async throws -> String {
    let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    return try await HTTP2Connection.with(port: port, host: host) { connection in
      try await connection.send(request)
      return try await connection.readText()
    }
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `both protocols work on both addresses`(address: String) async throws {
    try await withEcho(host: "localhost") { port in
      do {
        let answer = try await get("/", port: port, host: address)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.hasSuffix("Ok\n"))
        let reply = try await HTTP2Connection.with(port: port, host: address) { connection in
          try await connection.begin()
          return try await connection.call("Text", stream: 1)
        }
        #expect(reply?.texts == ["hello"])
      } catch  where address == "::1" && !Self.hasIPv6 {
        // The error is expected, because this machine has no IPv6.
      }
    }
  }

  private static let hasIPv6 = access("/proc/net/if_inet6", R_OK) == 0 || access("/proc", R_OK) != 0

  @Test func `a port in use on one address is in use`() async throws {
    try await withEcho(host: "localhost") { port in
      let listener = HTTPListener(
        EchoPage(),
        host: "127.0.0.1",
        port: port,
        policy: RequestGuard(),
        logger: Logger(label: "echo")
      ) { _ in }
      await #expect(throws: StatusError.self) { try await listener.run() }
    }
  }

  @Test func `a streamed body arrives completely, in chunks`() async throws {
    let answer = try await withEcho { try await get("/lines?count=20000", port: $0) }
    #expect(answer.lowercased().contains("transfer-encoding: chunked"))
    #expect(answer.contains("\n9999\n10000\n") || answer.contains("19998\n19999\n\r\n"))
    #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
  }

  @Test func `a body that fails midway has no end`() async throws {
    let answer = try await withEcho { try await get("/lines?count=3&fail=1", port: $0) }
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    #expect(!answer.hasSuffix("\r\n0\r\n\r\n"))
  }

  @Test func `an unread response doesn't delay other clients`() async throws {
    let page = EchoPage()
    try await withEcho(page: page) { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.send(
          "GET /lines?count=100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        for _ in 0..<100 { _ = try await get("/", port: port) }
      }
    }
    #expect(page.written < 3_000_000)
  }

  @Test func `a client that expects 100 Continue gets it`() async throws {
    let head = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n"
    try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.send(head + "Expect: 100-continue\r\n\r\n")
        let first = try await connection.readText(until: "\r\n\r\n")
        #expect(first.hasPrefix("HTTP/1.1 100"))
        try await connection.send("body")
        #expect(try await connection.readText().contains("HTTP/1.1 200"))
      }
    }
  }

  @Test(arguments: [
    ("Content-Length: 99999999999\r\n\r\n", "HTTP/1.1 413", "larger than 11 MiB"),
    ("Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", "HTTP/1.1 400", ""),
  ])
  func `an invalid body is refused before it arrives`(
    rest: String,
    status: String,
    message: String
  ) async throws {
    try await withEcho { port in
      try await HTTP2Connection.with(port: port) { connection in
        try await connection.send("POST / HTTP/1.1\r\nHost: localhost\r\n" + rest)
        let answer = try await connection.readText(until: "\r\n\r\n")
        #expect(answer.hasPrefix(status))
        if !message.isEmpty {
          #expect(try await connection.readText(until: message).contains(message))
        }
      }
    }
  }
}
