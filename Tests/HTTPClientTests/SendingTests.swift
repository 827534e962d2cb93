import Core
import HTTPClient
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
  @Test func `a request is sent as it was given`() async throws {
    let server = try LoopbackServer { $1.answer(body: $0.body) }
    defer { server.stop() }
    let request = HTTPRequest(
      method: "PATCH",
      url: server.url("/v1/a%2Fb/../c?key=x%20y"),
      headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Empty", "")],
      body: Data("{}".utf8)
    )
    let response = try await HTTPClient.forTests().send(request, deadline: .generous)
    #expect(response.status == 200)
    #expect(response.body == Data("{}".utf8))
    let received = try #require(server.requests.first)
    #expect(received.method == "PATCH")
    #expect(received.target == "/v1/a%2Fb/../c?key=x%20y")
    #expect(received.headers["content-type"] == "application/json")
    #expect(received.headers["x-empty"] == "")
    #expect(received.headers["user-agent"] == "tests/1")
    #expect(received.headers["expect"] == nil)
  }

  @Test(arguments: ["GET", "DELETE", "HEAD"])
  func `a request without content announces none`(method: String) async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let request = HTTPRequest(method: method, url: server.url())
    #expect(try await HTTPClient.forTests().send(request, deadline: .generous).status == 200)
    let received = try #require(server.requests.first)
    #expect(received.method == method)
    #expect(received.headers["content-length"] == nil)
    #expect(received.headers["content-type"] == nil)
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a request that lacks its content announces a length of zero`(method: String) async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let request = HTTPRequest(method: method, url: server.url())
    #expect(try await HTTPClient.forTests().send(request, deadline: .generous).status == 200)
    let received = try #require(server.requests.first)
    #expect(received.method == method)
    #expect(received.headers["content-length"] == "0")
    #expect(received.headers["content-type"] == nil)
  }

  @Test(arguments: [0, 1, 256, 3_000_000])
  func `bytes of any value are sent and received`(count: Int) async throws {
    let server = try LoopbackServer { $1.answer(body: $0.body) }
    defer { server.stop() }
    let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let request = HTTPRequest(method: "POST", url: server.url(), body: body)
    let response = try await HTTPClient.forTests().send(request, deadline: .generous)
    #expect(response.body == body)
  }

  @Test(arguments: [204, 301, 302, 400, 404, 429, 500, 503])
  func `every status is a response, and no redirect is followed`(status: Int) async throws {
    let server = try LoopbackServer { $1.answer(status: status, headers: ["Location: /next"]) }
    defer { server.stop() }
    let response = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous
    )
    #expect(response.status == status)
    #expect(response["LOCATION"] == "/next")
    #expect(server.requests.count == 1)
  }

  @Test func `the headers of an interim response are not the response's`() async throws {
    let server = try LoopbackServer { _, connection in
      connection.send("HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
      return connection.answer(headers: ["X-Late:  yes \t", "Retry-After: 2"])
    }
    defer { server.stop() }
    let response = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous
    )
    #expect(response["x-early"] == nil)
    #expect(response["x-late"] == "yes")
    #expect(response.retryAfter == .seconds(2))
  }

  @Test func `a compressed body is decompressed`() async throws {
    let server = try LoopbackServer {
      $1.answer(headers: ["Content-Encoding: gzip"], body: GzipFixture.compressed)
    }
    defer { server.stop() }
    let response = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous
    )
    #expect(response.body == GzipFixture.plain)
    #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
  }

  @Test func `a request that HTTP can't express is not sent`() async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    let requests = [
      HTTPRequest(method: "GET /\r\n", url: server.url()),
      HTTPRequest(method: "", url: server.url()),
      HTTPRequest(method: "GET", url: server.url(), headers: [HTTPHeader("a", "b\r\nc: d")]),
      HTTPRequest(method: "GET", url: server.url(), headers: [HTTPHeader("a:b", "c")]),
      HTTPRequest(method: "GET", url: server.url(), headers: [HTTPHeader("", "c")]),
    ]
    for request in requests {
      let error = await #expect(throws: StatusError.self) {
        try await transport.send(request, deadline: .generous)
      }
      #expect(error?.code == .invalidArgument)
    }
    #expect(server.connectionCount == 0)
  }
}
