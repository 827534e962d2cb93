import Core
import HTTPServer
import TestKit
import Testing

/// The closing of connections, and ambiguous requests, which two servers may interpret differently.
struct RequestFramingTests {
  private static let ambiguous: [(request: String, reason: String)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "more than one Host"),
    ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "more than one Host"),
    ("GET / HTTP/1.1\r\n\r\n", "no Host"),
    ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", "the Host is neither"),
    ("GET / HTTP/1.1\r\nHost: me@a\r\n\r\n", "the Host is neither"),
    ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "the Host is neither"),
    ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", "in the request's target"),
    ("GET HTTP://a:81/x HTTP/1.1\r\nHost: a\r\n\r\n", "in the request's target"),
    ("GET http://me@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "names no host"),
    ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "neither a path nor a URL"),
    ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", "neither a path nor a URL"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n", "not chunked"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "not chunked"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", ""),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\t\r\n\r\n", "not chunked"),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n", ""),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
      "not chunked"
    ),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.0"),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n", "HTTP/1.0"),
    ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", "the version of HTTP"),
    ("GET / HTTP/0.9\r\nHost: a\r\n\r\n", "the version of HTTP"),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "the version of HTTP"),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
      "more than one Content-Length"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
      "both Content-Length and Transfer-Encoding"
    ),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
      "both Content-Length and Transfer-Encoding"
    ),
  ]

  @Test(arguments: [true, false])
  func `an ambiguous request is refused with the reason, and its connection closed`(
    hasLimits: Bool
  ) async throws {
    try await withListener(hasLimits ? ConnectionLimits() : nil) { port in
      for (request, reason) in Self.ambiguous {
        let connection = try RawConnection(port: port)
        connection.send(
          request + "0\r\n\r\nPOST /smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
        )
        let answer = try await answer(on: connection)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request)")
        #expect(answer.contains(#""status":"INVALID_ARGUMENT""#), "\(request)")
        #expect(reason.isEmpty || answer.contains(reason), "\(request) \(answer)")
        #expect(answer.lowercased().contains("connection: close"), "\(request)")
        #expect(!answer.contains("smuggled") && !answer.contains(" 200 "), "\(request)")
      }
    }
  }

  @Test func `a refused HEAD gets no body`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `a request that only looks odd is accepted`() async throws {
    try await withListener { port in
      let end = "Connection: close\r\n\r\n"
      for request in [
        "GET http://a/x HTTP/1.1\r\nHost: A\r\n" + end,
        "GET http://a:80/x?y HTTP/1.1\r\nHost: a:80\r\n" + end,
        "GET /x HTTP/1.1\r\nHost: [::1]:80\r\n" + end, "GET /x HTTP/1.1\r\nHost:\ta \t\r\n" + end,
        "GET http://a/x HTTP/1.1\r\nHost: a  \r\n" + end,
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
          + "2;a=b\r\nhi\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\tchunked  \r\nConnection: close\r\n\r\n"
          + "2\r\nhi\r\n0\r\n\r\n",
      ] {
        let connection = try RawConnection(port: port)
        connection.send(request)
        let answer = try await answer(on: connection)
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(request)")
        #expect(answer.hasSuffix("/x"), "\(request)")
      }
    }
  }

  @Test func `a service gets the Host without surrounding white space`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("GET /host HTTP/1.1\r\nHost: \ta \t\r\nConnection: close\r\n\r\n")
      #expect(try await answer(on: connection).hasSuffix("\r\n\r\n[a]"))
    }
  }

  @Test func `several lines of Accept are one list`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "GET /accept HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n"
          + "accept: text/event-stream;q=0.5, */*\r\n\r\n"
      )
      let answer = try await answer(on: connection)
      #expect(answer.hasSuffix("\r\n\r\n[text/html, text/event-stream;q=0.5, */*]"))
    }
  }

  @Test func `a HEAD has the headers of its GET`() async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("HEAD /four HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let answer = try await answer(on: connection)
      #expect(answer.lowercased().contains("\r\ncontent-length: 5\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(arguments: [
    "0x2\r\nhi\r\n0\r\n\r\n", "+2\r\nhi\r\n0\r\n\r\n", "-2\r\nhi\r\n0\r\n\r\n",
    "2 \r\nhi\r\n0\r\n\r\n", " 2\r\nhi\r\n0\r\n\r\n", "2\r\nhi0\r\n\r\n", "2\nhi\n0\n\n",
    "2\r\nhi\n0\r\n\r\n", "\r\nhi\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nhi\r\n0\r\n\r\n",
    "2\rhi\r\n0\r\n\r\n", "2;a\rb\r\nhi\r\n0\r\n\r\n",
  ])
  func `ambiguous chunks end the connection`(
    body: String
  ) async throws {
    try await withListener { port in
      let connection = try RawConnection(port: port)
      connection.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
      connection.send("POST /smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      let answer = try await answer(on: connection)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(!answer.contains("smuggled") && !answer.contains(" 200 "))
    }
  }

  @Test(arguments: [true, false])
  func `requests before a refused one are answered first`(hasLimits: Bool) async throws {
    try await withListener(hasLimits ? ConnectionLimits() : nil) { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /stream HTTP/1.1\r\nHost: a\r\n\r\n"
          + "GET /b HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      let answer = try await answer(on: connection)
      let statuses = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["200", "200", "400"])
    }
  }

  @Test(arguments: [true, false])
  func `HTTP/1.0 gets one response, which ends with the connection`(hasLimits: Bool) async throws {
    try await withListener(hasLimits ? ConnectionLimits() : nil) { port in
      for more in ["", "Host: a\r\n", "Connection: Keep-Alive\r\n", "Expect: 100-continue\r\n"] {
        let connection = try RawConnection(port: port)
        let head = "HTTP/1.0\r\n\(more)Content-Length: 2\r\n\r\nhi"
        connection.send("POST /x \(head)POST /y \(head)")
        let whole = try await answer(on: connection)
        #expect(whole.hasPrefix("HTTP/1.0 200 "), "\(more)")
        #expect(whole.hasSuffix("\r\n\r\n/x"), "\(more)")
        let piecemeal = try RawConnection(port: port)
        piecemeal.send("POST /stream \(head)")
        let stream = try await answer(on: piecemeal)
        #expect(stream.hasSuffix("\r\n\r\none two three"), "\(more)")
        #expect(!stream.lowercased().contains("transfer-encoding"), "\(more)")
      }
    }
  }

  @Test(arguments: ["close", "Close", "keep-alive, close", "CLOSE,x", "x\r\nConnection: close"])
  func `a client that asks for a close gets one response`(value: String) async throws {
    for limits in [ConnectionLimits(), nil] {
      try await withListener(limits) { port in
        let connection = try RawConnection(port: port)
        connection.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: \(value)\r\n\r\n")
        connection.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try await answer(on: connection)
        #expect(answer.hasSuffix("/a"))
        #expect(answer.lowercased().contains("connection: close"))
      }
    }
  }

  @Test func `requests refused before a service are reported`() async throws {
    let told = try await refusals(
      of: [
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nTraceparent: t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTraceparent: u\r\nContent-Length: 1025\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      ]
    )
    #expect(told.map(\.status) == [400, 400, 413, 400, 505])
    #expect(told.map { $0.headers["traceparent"] } == ["t", nil, "u", nil, nil])
    #expect(told.first?.error.message.contains("Host") == true)
    var limits = ConnectionLimits()
    limits.headTime = .milliseconds(200)
    limits.bodyTime = .milliseconds(200)
    let half = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"
    #expect(try await refusals(of: ["GET / HT", half], limits).map(\.status) == [408, 408])
  }

  private func refusals(
    of requests: [String],
    _ limits: ConnectionLimits = ConnectionLimits()
  ) async throws -> [RefusedRequest] {
    let (refusals, onRefusal) = AsyncStream<RefusedRequest>.makeStream()
    try await withListener(limits, onRefusal: { onRefusal.yield($0) }) { port in
      for request in requests {
        let connection = try RawConnection(port: port)
        connection.send(request)
        _ = try await answer(on: connection)
      }
    }
    onRefusal.finish()
    return await refusals.reduce(into: []) { $0.append($1) }
  }
}
