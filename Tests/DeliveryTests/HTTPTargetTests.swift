import CloudEvents
import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import HTTPClient
import Synchronization
import TestKit
import Testing

/// A function behind a URL: its requests, and the outcomes of its responses.
@Suite(.timeLimit(.minutes(10)))
struct HTTPTargetTests {
  private static let traceparent = "00-11111111111111111111111111111111-3333333333333333-01"

  /// Runs `body` with a target that sends its requests to the server. Closes both afterwards.
  private func withTarget(
    _ server: LoopbackServer,
    path: String = "/take?key=secret",
    timeoutSeconds: Int = 3_600,
    concurrency: Int = 8,
    form: EventMessage.Form = .protobuf,
    _ body: (HTTPTarget) async throws -> Void
  ) async throws {
    let transport = HTTPClient.forTests()
    let target = try HTTPTarget(
      FunctionManifest(
        name: "probe",
        timeoutSeconds: timeoutSeconds,
        concurrency: concurrency
      ),
      url: server.url(path),
      form: form,
      transport: transport
    )
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(target))
    } catch {
      result = .failure(error)
    }
    server.stop()
    await target.close()
    await transport.shutDown()
    try result.get()
  }

  private func deliver(_ event: ChangeEvent?, to target: HTTPTarget) async -> InvocationResult {
    await target.invoke(eventID: "e") { _ in
      InvocationRequest(
        event: Data("{}".utf8),
        invocation: Invocation(
          id: "i",
          attempt: 1,
          deadline: Timestamp(seconds: 0),
          traceparent: Self.traceparent
        ),
        change: event
      )
    }
  }

  @Test func `an event is posted in binary mode within the invocation's trace`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(204)])
    try await withTarget(server) { target in
      let event = try creation(authContext: .init(type: "app_user", id: "sarah"))
      let result = await deliver(event, to: target)
      #expect(result.status == .ok)
      #expect(result.exitCode == 0)
      #expect(result.error == nil)

      let request = try #require(server.requests.first)
      #expect(request.method == "POST")
      #expect(request.target == "/take?key=secret")
      #expect(request.headers["content-type"] == "application/protobuf")
      #expect(request.headers["ce-id"] == event.id)
      #expect(request.headers["ce-authid"] == "sarah")
      #expect(request.headers["traceparent"] == Self.traceparent)
      #expect(request.headers["ce-datacontenttype"] == nil)
      #expect(request.body == (try EventMessage(event, as: .protobuf)).body)
    }
  }

  @Test(arguments: [200, 202, 204, 299])
  func `every 2xx status is a success, whatever the body`(status: Int) async throws {
    let body = status == 204 ? "" : #"{"status":"error","error":{"message":"no"}}"#
    let server = try LoopbackServer(answers: [ScriptedAnswer(status, body)])
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.status == .ok)
      #expect(!result.isRetryable)
    }
  }

  @Test(arguments: [300, 302, 304, 400, 404, 408, 429, 500, 503])
  func `any other status is retried, and no redirect is followed`(
    status: Int
  ) async throws {
    let server = try LoopbackServer(
      answers: [ScriptedAnswer(status, headers: ["Location: /elsewhere", "Retry-After: 7"])]
    )
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.status == .error)
      #expect(result.isRetryable)
      #expect(
        result.error?.message
          == "probe: the response of \(server.url("/take")) has status \(status)"
      )
      #expect(result.error?.retryAfter == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a function's own result line is used`() async throws {
    let line = #"{"contract":1,"function":"probe","status":"skipped","exitCode":0,"reason":"old"}"#
    let server = try LoopbackServer(answers: [ScriptedAnswer(200, line)])
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.status == .skipped)
      #expect(result.reason == "old")
      #expect(result.line == Data(line.utf8))
    }
  }

  @Test(arguments: [(200, 65, false), (503, 75, true), (500, 70, true), (400, 65, true)])
  func `a function's result line is kept, and the HTTP status decides whether it is retried`(
    status: Int,
    exitCode: Int32,
    isRetryable: Bool
  ) async throws {
    let line =
      #"{"contract":1,"status":"error","exitCode":\#(exitCode),"error":{"code":"ABORTED","message":"m"}}"#
    let server = try LoopbackServer(answers: [ScriptedAnswer(status, line)])
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.error?.message == "m")
      #expect(result.exitCode == exitCode)
      #expect(result.isRetryable == isRetryable)
    }
  }

  @Test func `a target that never answers fails at the function's timeout`() async throws {
    let silent = try SilentListener()
    let transport = HTTPClient.forTests()
    let target = try HTTPTarget(
      FunctionManifest(name: "probe", timeoutSeconds: 1),
      url: "http://127.0.0.1:\(silent.port)/",
      form: .json,
      transport: transport
    )
    let result = await deliver(try creation(), to: target)
    #expect(result.error?.code == .deadlineExceeded)
    #expect(result.isRetryable)
    await target.close()
    await transport.shutDown()
  }

  @Test func `a closed connection and a refused one are retried`() async throws {
    let server = try LoopbackServer { _, _ in false }
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.error?.code == .unavailable)
      #expect(result.isRetryable)
    }
    let transport = HTTPClient.forTests()
    let nobody = try HTTPTarget(
      FunctionManifest(name: "probe"),
      url: "http://127.0.0.1:1/",
      form: .json,
      transport: transport
    )
    let result = await deliver(try creation(), to: nobody)
    #expect(result.error?.code == .unavailable)
    #expect(result.isRetryable)
    await nobody.close()
    await transport.shutDown()
  }

  @Test func `a response over the limit is cut off`() async throws {
    let body = String(repeating: "x", count: (10 << 20) + 1)
    let server = try LoopbackServer(answers: [ScriptedAnswer(200, body)])
    try await withTarget(server) { target in
      let result = await deliver(try creation(), to: target)
      #expect(result.error?.code == .unavailable)
      #expect(result.error?.message.contains("more than") == true)
      #expect(result.isRetryable)
    }
  }

  @Test func `as many events run at once as the manifest allows`() async throws {
    // Each response waits until two requests are in flight. With a concurrency of one, none would
    // arrive.
    let both = Meeting(of: 2)
    let server = try LoopbackServer { _, connection in
      both.join()
      return connection.answer(status: 200, headers: [], body: Data())
    }
    try await withTarget(server, concurrency: 2) { target in
      let event = try creation()
      async let first = deliver(event, to: target)
      async let second = deliver(event, to: target)
      let results = await [first, second]
      #expect(results.allSatisfy { $0.status == .ok })
    }
  }

  @Test func `no more events run at once than the manifest allows`() async throws {
    let counts = Mutex((now: 0, most: 0))
    let server = try LoopbackServer { _, connection in
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      // Other threads may run here, so that a request over the limit would arrive.
      sched_yield()
      counts.withLock { $0.now -= 1 }
      return connection.answer(status: 200, headers: [], body: Data())
    }
    try await withTarget(server, concurrency: 3) { target in
      let event = try creation()
      await withDiscardingTaskGroup { group in
        for _ in 0..<60 { group.addTask { _ = await deliver(event, to: target) } }
      }
      #expect(server.requests.count == 60)
      #expect(counts.withLock(\.most) <= 3)
    }
  }

  @Test func `closing cancels running and waiting events`() async throws {
    let isClosed = Meeting(of: 2)
    let server = try LoopbackServer { _, _ in
      isClosed.join()
      return false
    }
    try await withTarget(server, concurrency: 1) { target in
      let event = try creation()
      async let running = deliver(event, to: target)
      await server.wait(for: .requested)
      async let waiting = deliver(event, to: target)
      await target.close()
      isClosed.join()
      for result in await [running, waiting] {
        #expect(result.error?.code == .cancelled)
        #expect(result.error?.message == "the server is shutting down")
      }
    }
  }

  @Test func `a call is refused: a target takes only events`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200)])
    try await withTarget(server) { target in
      let result = await deliver(nil, to: target)
      #expect(result.error?.code == .unimplemented)
      #expect(result.error?.message.contains("secret") == false)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [
    "", "nowhere", "ftp://127.0.0.1/", "http://example.com/", "http://192.0.2.1:8080/",
    "http://user@127.0.0.1/", "https://",
  ])
  func `an unusable URL is refused`(url: String) throws {
    let error = statusError {
      try HTTPTarget(
        FunctionManifest(name: "probe"),
        url: url,
        form: .json,
        transport: .forTests()
      )
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `an https URL of another host is accepted`() throws {
    _ = try HTTPTarget(
      FunctionManifest(name: "probe"),
      url: "https://example.com/x",
      form: .json,
      transport: .forTests()
    )
  }
}
