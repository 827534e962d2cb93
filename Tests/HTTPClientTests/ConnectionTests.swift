import Core
import HTTPClient
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test func `sequential requests share a connection`() async throws {
    let server = try LoopbackServer { $1.answer(body: $0.body) }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    for number in 1...5 {
      let body = Data("\(number)".utf8)
      let request = HTTPRequest(method: "POST", url: server.url(), body: body)
      #expect(try await transport.send(request, deadline: .generous).body == body)
    }
    #expect(server.connectionCount == 1)
  }

  @Test func `fifty requests run at the same time`() async throws {
    let meeting = Meeting(of: 50)
    let server = try LoopbackServer { request, connection in
      meeting.join()
      return connection.answer(body: request.body)
    }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    let url = server.url()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1...50 {
        group.addTask {
          let body = Data("\(number)".utf8)
          let request = HTTPRequest(method: "POST", url: url, body: body)
          return try await transport.send(request, deadline: .generous).body == body
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.requests.count == 50)
  }

  @Test func `a connection that the server closed is replaced`() async throws {
    let server = try LoopbackServer { _, connection in
      _ = connection.answer()
      return false
    }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    for _ in 1...3 {
      #expect(try await transport.send(.get(server.url()), deadline: .generous).status == 200)
      await server.wait(for: .disconnected)
    }
    #expect(server.connectionCount == 3)
  }

  /// libcurl itself sends a request again if a reused connection was lost.
  ///
  /// The client must prevent that for a push, which may have been sent.
  @Test(arguments: [(true, 3), (false, 2)])
  func `a request that can't be repeated is sent once, even if its connection is lost`(
    isRepeatable: Bool,
    requests: Int
  ) async throws {
    let server = try LoopbackServer { request, connection in
      request.target == "/" ? connection.answer() : false
    }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    #expect(try await transport.send(.get(server.url()), deadline: .generous).status == 200)
    let body = Data(repeating: 7, count: 100_000)
    var request = HTTPRequest(method: "POST", url: server.url("/lost"), body: body)
    request.isRepeatable = isRepeatable
    let error = await #expect(throws: StatusError.self) {
      try await transport.send(request, deadline: .generous)
    }
    #expect(error?.code == .unavailable)
    #expect(server.requests.count == requests)
    #expect(server.requests.dropFirst().allSatisfy { $0.body == body })
  }

  @Test func `releasing the transport closes its connections`() async throws {
    let server = try LoopbackServer { $1.answer() }
    defer { server.stop() }
    var transport: HTTPClient? = .forTests()
    let status = try await transport?.send(.get(server.url()), deadline: .generous).status
    transport = nil
    await server.wait(for: .disconnected)
    #expect(status == 200)
  }

  @Test func `shutting down cancels running requests and refuses new ones`() async throws {
    let server = try LoopbackServer { $1.stall() }
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    let url = server.url()
    let sending = Task { try await transport.send(.get(url), deadline: .generous) }
    await server.wait(for: .requested)
    await transport.shutDown()
    await server.wait(for: .disconnected)
    for task in [sending, Task { try await transport.send(.get(url), deadline: .generous) }] {
      let error = await #expect(throws: StatusError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
    await transport.shutDown()
    #expect(server.connectionCount == 1)
  }

  @Test func `a transport that sent nothing shuts down`() async {
    let transport = HTTPClient.forTests()
    await transport.shutDown()
    let error = await #expect(throws: StatusError.self) {
      try await transport.send(.get("http://127.0.0.1:1/"), deadline: .generous)
    }
    #expect(error?.code == .cancelled)
  }

  @Test func `the process may exit during a transfer`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { $1.stall() }
      let url = server.url()
      let transport = HTTPClient.forTests()
      Task {
        // The process exits while the transfer is running. If the transfer failed because of that,
        // the process would end with EXIT_FAILURE.
        _ = try? await transport.send(.get(url), deadline: .generous)
        _exit(EXIT_FAILURE)
      }
      await server.wait(for: .requested)
      exit(EXIT_SUCCESS)
    }
  }

  /// The proxy sees only the host, because the request is sent through the tunnel.
  @Test func `a proxy gets a CONNECT for other hosts, and nothing else`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try LoopbackServer(answers: [ScriptedAnswer(403)])
      defer { proxy.stop() }
      let request = HTTPRequest(
        method: "POST",
        url: "https://provider.invalid/path?key=secret",
        headers: [HTTPHeader("Authorization", "secret")],
        body: Data("secret".utf8)
      )
      // The variables' names are accepted in lowercase and in capitals.
      for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        setenv(name, proxy.url(), 1)
        let outcome = try? await HTTPClient.forTests().send(request, deadline: .generous)
        guard outcome == nil else { exit(EXIT_FAILURE) }
        unsetenv(name)
      }
      let asked = proxy.requests.map { "\($0.method) \($0.target)" }
      let isSilent =
        !"\(proxy.requests)".contains("secret") && proxy.requests.allSatisfy(\.body.isEmpty)
      exit(
        asked == [String](repeating: "CONNECT provider.invalid:443", count: 4) && isSilent
          ? EXIT_SUCCESS : EXIT_FAILURE
      )
    }
  }

  @Test func `no_proxy names the hosts that are reached directly`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try LoopbackServer(answers: [ScriptedAnswer(403)])
      defer { proxy.stop() }
      setenv("https_proxy", proxy.url(), 1)
      setenv("no_proxy", "provider.invalid", 1)
      let outcome = try? await HTTPClient.forTests().send(
        .get("https://provider.invalid/"),
        deadline: .generous
      )
      exit(outcome == nil && proxy.connectionCount == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test func `a proxy variable doesn't apply to loopback`() async {
    await #expect(processExitsWith: .success) {
      for name in ["http_proxy", "all_proxy", "ALL_PROXY"] {
        setenv(name, "http://127.0.0.1:1", 1)
      }
      let server = try LoopbackServer { $1.answer() }
      defer { server.stop() }
      let response = try await HTTPClient.forTests().send(
        .get(server.url()),
        deadline: .generous
      )
      exit(response.status == 200 && server.connectionCount == 1 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
