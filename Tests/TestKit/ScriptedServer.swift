import Core
package import HTTPClient
import Synchronization

/// A scripted response to one request.
package struct ScriptedAnswer: Sendable {
  package var status: Int
  package var headers: [String]
  package var body: String

  package init(_ status: Int = 200, headers: [String] = [], _ body: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension LoopbackServer {
  /// Creates a server that answers the requests with these answers in order, then repeats the last.
  package convenience init(answers: [ScriptedAnswer]) throws {
    let script = Script(answers)
    try self.init { _, connection in
      let answer = script.next()
      return connection.answer(
        status: answer.status,
        headers: answer.headers,
        body: Data(answer.body.utf8)
      )
    }
  }

  private final class Script: Sendable {
    private let remaining: Mutex<[ScriptedAnswer]>

    init(_ answers: [ScriptedAnswer]) { remaining = Mutex(answers) }

    func next() -> ScriptedAnswer {
      remaining.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? ScriptedAnswer(599) }
    }
  }
}

extension HTTPClient {
  /// Returns a transport that waits as briefly as possible between attempts.
  package static func forTests(
    _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
    random: @escaping @Sendable () -> Double = { 0 }
  ) -> HTTPClient {
    HTTPClient(userAgent: "tests/1", configuration: configuration, random: random)
  }
}

extension ContinuousClock.Instant {
  /// A deadline five minutes from now. Only a test that fails reaches it, even on a slow machine.
  package static var generous: ContinuousClock.Instant { .now.advanced(by: .seconds(300)) }
}
