import Core
import HTTPClient
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
  private let transport = HTTPClient.forTests()

  private func failure(
    _ request: HTTPRequest,
    deadline: ContinuousClock.Instant = .generous
  ) async -> StatusError? {
    await #expect(throws: StatusError.self) {
      try await transport.send(request, deadline: deadline)
    }
  }

  @Test func `a refused connection is UNAVAILABLE, and the query stays out of the message`()
    async throws
  {
    let socket = try LoopbackSocket.bound()
    defer { close(socket.descriptor) }
    let request = HTTPRequest(
      method: "POST",
      url: "http://127.0.0.1:\(socket.port)/v1/send?key=secret1",
      headers: [HTTPHeader("Authorization", "secret2")],
      body: Data("secret3".utf8)
    )
    let error = await failure(request)
    #expect(error?.code == .unavailable)
    #expect(error?.fault == .request)
    let message = try #require(error?.message)
    #expect(message.hasPrefix("POST http://127.0.0.1:\(socket.port)/v1/send: "))
    #expect(!message.contains("secret"))
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "not HTTP at all\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
  ])
  func `a broken response is UNAVAILABLE`(response: String) async throws {
    let server = try LoopbackServer { _, connection in
      connection.send(response)
      return false
    }
    defer { server.stop() }
    let error = await failure(.get(server.url("/path?key=secret")))
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("secret") == false)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
  func `a stalling server meets the deadline, and its connection isn't reused`(
    start: String
  ) async throws {
    let server = try LoopbackServer { request, connection in
      if request.target == "/good" { return connection.answer(body: Data("good".utf8)) }
      connection.send(start)
      return connection.stall()
    }
    defer { server.stop() }
    let begin = ContinuousClock.now
    let error = await failure(
      .get(server.url("/stall")),
      deadline: begin.advanced(by: .milliseconds(150))
    )
    #expect(error?.code == .deadlineExceeded)
    #expect(begin.duration(to: .now) >= .milliseconds(140))
    let response = try await transport.send(.get(server.url("/good")), deadline: .generous)
    #expect(response.body == Data("good".utf8))
  }

  @Test func `a deadline that has passed opens no connection`() async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let error = await failure(.get(server.url()), deadline: .now)
    #expect(error?.code == .deadlineExceeded)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
  func `cancelling the task ends its transfer`(start: String) async throws {
    let server = try LoopbackServer { _, connection in
      connection.send(start)
      return connection.stall()
    }
    defer { server.stop() }
    let url = server.url()
    let task = Task { try await transport.send(.get(url), deadline: .generous) }
    await server.wait(for: .requested)
    task.cancel()
    let error = await #expect(throws: StatusError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await server.wait(for: .disconnected)
  }

  @Test func `a cancelled task sends nothing`() async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let url = server.url()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await transport.send(.get(url), deadline: .generous)
    }
    task.cancel()
    let error = await #expect(throws: StatusError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(server.connectionCount == 0)
  }

  @Test func `cancellations at any moment leave no caller waiting`() async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    let url = server.url()
    await withTaskGroup(of: StatusCode.self) { group in
      for _ in 1...200 {
        group.addTask {
          let task = Task { () async throws(StatusError) in
            try await transport.send(.get(url), deadline: .generous)
          }
          let canceller = Task { task.cancel() }
          defer { canceller.cancel() }
          do {
            _ = try await task.value
            return .ok
          } catch {
            return (error as? StatusError)?.code ?? .unknown
          }
        }
      }
      for await code in group { #expect(code == .ok || code == .cancelled) }
    }
  }

  @Test func `a body of exactly the limit is allowed`() async throws {
    let server = try LoopbackServer { $1.answer(body: Data(repeating: 1, count: 1000)) }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url(), maximumResponseBytes: 1000)
    #expect(try await transport.send(request, deadline: .generous).body.count == 1000)
    request.maximumResponseBytes = 999
    let error = await failure(request)
    #expect(error?.code == .unavailable)
    #expect(error?.message.hasSuffix("answered with more than 999 bytes") == true)
  }

  @Test func `an endless body ends at its limit`() async throws {
    let server = try LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n")
      return connection.drip("0123456789")
    }
    defer { server.stop() }
    let error = await failure(
      HTTPRequest(method: "GET", url: server.url(), maximumResponseBytes: 100_000)
    )
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("more than 100000 bytes") == true)
    await server.wait(for: .disconnected)
  }

  @Test func `endless headers end at their limit`() async throws {
    let server = try LoopbackServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      return connection.drip("X-More: and more\r\n")
    }
    defer { server.stop() }
    let error = await failure(.get(server.url()))
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("bytes of headers") == true)
    await server.wait(for: .disconnected)
  }

  @Test func `the body limit counts decompressed bytes`() async throws {
    let server = try LoopbackServer {
      $1.answer(headers: ["Content-Encoding: gzip"], body: GzipFixture.compressed)
    }
    defer { server.stop() }
    let limit = GzipFixture.plain.count - 1
    #expect(GzipFixture.compressed.count < limit)
    let error = await failure(
      HTTPRequest(method: "GET", url: server.url(), maximumResponseBytes: limit)
    )
    #expect(error?.code == .unavailable)
  }
}
