import Core
import HTTPClient
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPRetryTests {
  /// A case for the retry policy: an outcome, and the expected delay.
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outcome: Result<HTTPResponse, StatusError>
    let delay: Duration?
    var attempt = 1
    var timeLeft = Duration.seconds(60)
    var jitter = 1.0

    init(_ description: String, _ outcome: Result<HTTPResponse, StatusError>, _ delay: Duration?) {
      testDescription = description
      self.outcome = outcome
      self.delay = delay
    }

    init(_ status: Int, _ delay: Duration?) {
      self.init("status \(status)", .success(HTTPResponse(status: status)), delay)
    }

    init(_ code: StatusCode, _ delay: Duration?) {
      self.init(code.rawValue, .failure(StatusError(code, "failed")), delay)
    }

    /// Creates the case of a 503 response with a header field that asks the client to wait.
    init(asking name: String, _ value: String, _ delay: Duration?) {
      let response = HTTPResponse(status: 503, headers: [HTTPHeader(name, value)])
      self.init("\(name) \(value)", .success(response), delay)
    }

    func with<Value>(_ field: WritableKeyPath<Rule, Value>, _ value: Value) -> Rule {
      var rule = self
      rule[keyPath: field] = value
      return rule
    }
  }

  private static let policy = HTTPRetryPolicy(
    maximumAttempts: 9,
    initialDelay: .milliseconds(100),
    maximumDelay: .seconds(1),
    maximumServerDelay: .seconds(10)
  )

  static let rules: [Rule] = [
    Rule(200, nil),
    Rule(302, nil),
    Rule(404, nil),
    Rule(408, .milliseconds(100)),
    Rule(429, .milliseconds(100)),
    Rule(500, .milliseconds(100)),
    Rule(501, nil),
    Rule(502, .milliseconds(100)),
    Rule(503, .milliseconds(100)),
    Rule(504, .milliseconds(100)),
    Rule(.unavailable, .milliseconds(100)),
    Rule(.deadlineExceeded, nil),
    Rule(.cancelled, nil),
    Rule(.failedPrecondition, nil),
    Rule(503, .milliseconds(400)).with(\.attempt, 3),
    Rule(503, .seconds(1)).with(\.attempt, 8),
    Rule(503, nil).with(\.attempt, 9),
    Rule(503, .milliseconds(50)).with(\.jitter, 0.5),
    Rule(503, .zero).with(\.jitter, 0),
    Rule(503, nil).with(\.timeLeft, .milliseconds(100)),
    Rule(503, nil).with(\.timeLeft, .seconds(-1)).with(\.jitter, 0),
    Rule(asking: "Retry-After", "7", .seconds(7)),
    Rule(asking: "Retry-After", "7", nil).with(\.timeLeft, .seconds(7)),
    Rule(asking: "Retry-After", "10", .seconds(10)),
    Rule(asking: "Retry-After", "11", nil),
    Rule(asking: "retry-after-ms", "20", .milliseconds(100)),
    Rule(asking: "retry-after-ms", "20", .milliseconds(20)).with(\.jitter, 0),
    Rule(asking: "x-should-retry", "false", nil),
    Rule(asking: "x-should-retry", "maybe", .milliseconds(100)),
    Rule(
      "a 404 that says that it may pass",
      .success(HTTPResponse(status: 404, headers: [HTTPHeader("X-Should-Retry", "true")])),
      .milliseconds(100)
    ),
    Rule(
      "a 200 that says so",
      .success(HTTPResponse(status: 200, headers: [HTTPHeader("X-Should-Retry", "true")])),
      nil
    ),
    Rule(
      "an error that names a wait",
      .failure(StatusError(.unavailable, "busy", retryAfter: .seconds(3))),
      .seconds(3)
    ),
  ]

  @Test(arguments: rules)
  func `the policy decides whether a request is retried, and when`(rule: Rule) {
    let delay = Self.policy.delay(
      after: rule.outcome,
      attempt: rule.attempt,
      timeLeft: rule.timeLeft,
      jitter: rule.jitter
    )
    #expect(delay == rule.delay)
  }

  @Test func `the retried statuses can be chosen`() {
    let policy = HTTPRetryPolicy(statuses: [404])
    for (status, delay): (Int, Duration?) in [(404, .zero), (503, nil)] {
      let outcome = Result<HTTPResponse, StatusError>.success(HTTPResponse(status: status))
      #expect(policy.delay(after: outcome, attempt: 1, timeLeft: .seconds(9), jitter: 0) == delay)
    }
  }

  private static let noMoney = HTTPRetryPolicy {
    $0.status == 429 && $0.body == Data("no money".utf8)
  }

  @Test(arguments: [(429, "busy", true), (429, "no money", false), (503, "no money", true)])
  func `a response can be declared final`(
    status: Int,
    body: String,
    isRepeated: Bool
  ) {
    let response = HTTPResponse(
      status: status,
      headers: [HTTPHeader("Retry-After", "1")],
      body: Data(body.utf8)
    )
    let delay = Self.noMoney.delay(
      after: .success(response),
      attempt: 1,
      timeLeft: .seconds(9),
      jitter: 0
    )
    #expect(delay == (isRepeated ? .seconds(1) : nil))
  }

  @Test func `only a response that would be retried is checked for being final`() {
    let asked = Mutex<[Int]>([])
    let policy = HTTPRetryPolicy(maximumAttempts: 2) { response in
      asked.withLock { $0.append(response.status) }
      return true
    }
    for (status, attempt) in [(200, 1), (404, 1), (503, 2), (503, 1)] {
      let delay = policy.delay(
        after: .success(HTTPResponse(status: status)),
        attempt: attempt,
        timeLeft: .seconds(9),
        jitter: 0
      )
      #expect(delay == nil)
    }
    let lost = policy.delay(
      after: .failure(StatusError(.unavailable, "lost")),
      attempt: 1,
      timeLeft: .seconds(9),
      jitter: 0
    )
    #expect(lost == .zero)
    #expect(asked.withLock(\.self) == [503])
  }

  @Test func `a final response is returned, however many attempts are left`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(503), ScriptedAnswer(429, "no money")])
    defer { server.stop() }
    let (response, attempts) = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous,
      retry: Self.noMoney
    )
    #expect(response.status == 429)
    #expect(attempts == 2)
    #expect(server.requests.count == 2)
  }

  @Test func `a request is sent until it succeeds`() async throws {
    let left = Mutex([429, 503])
    let server = try LoopbackServer { _, connection in
      let status = left.withLock { $0.popLast() }
      return connection.answer(status: status ?? 200, headers: ["Retry-After: 0"])
    }
    defer { server.stop() }
    let (response, attempts) = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous,
      retry: HTTPRetryPolicy()
    )
    #expect(response.status == 200)
    #expect(attempts == 3)
    #expect(server.connectionCount == 1)
  }

  @Test func `a lost connection is retried`() async throws {
    let isFirst = Mutex(true)
    let server = try LoopbackServer { _, connection in
      let drops = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      return drops ? false : connection.answer()
    }
    defer { server.stop() }
    let (response, attempts) = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous,
      retry: HTTPRetryPolicy()
    )
    #expect(response.status == 200)
    #expect(attempts == 2)
  }

  @Test func `the last response is returned when attempts run out`() async throws {
    let server = try LoopbackServer { $1.answer(status: 503) }
    defer { server.stop() }
    let (response, attempts) = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: .generous,
      retry: HTTPRetryPolicy(maximumAttempts: 4)
    )
    #expect(response.status == 503)
    #expect(attempts == 4)
    #expect(server.requests.count == 4)
  }

  @Test func `a retry after the deadline isn't attempted`() async throws {
    let server = try LoopbackServer { $1.answer(status: 503, headers: ["Retry-After: 900"]) }
    defer { server.stop() }
    let deadline = ContinuousClock.now.advanced(by: .seconds(600))
    let (response, attempts) = try await HTTPClient.forTests().send(
      .get(server.url()),
      deadline: deadline,
      retry: HTTPRetryPolicy()
    )
    #expect(response.status == 503)
    #expect(attempts == 1)
  }

  @Test func `cancelling ends the wait between two attempts`() async throws {
    let waits = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { $1.answer(status: 503, headers: ["Retry-After: 15"]) }
    defer { server.stop() }
    let url = server.url()
    let transport = HTTPClient.forTests {
      waits.continuation.finish()
      return 0
    }
    let task = Task {
      try await transport.send(.get(url), deadline: .generous, retry: HTTPRetryPolicy()).response
    }
    for await _ in waits.stream {}
    task.cancel()
    let error = await #expect(throws: StatusError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(server.requests.count == 1)
  }
}
