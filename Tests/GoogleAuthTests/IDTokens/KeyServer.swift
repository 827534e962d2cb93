import Core
import Cryptography
import Dispatch
import GoogleAuth
import HTTPClient
import HTTPService
import Synchronization
import TestKit

/// A server on this machine that publishes keys, and the verifiers that use it.
final class KeyServer: Sendable {
  private typealias Answer = @Sendable (ReceivedRequest) -> ScriptedAnswer?

  /// The responses of the server.
  private final class Script: Sendable {
    let answer: Mutex<Answer>
    /// A semaphore for which the next request waits, or `nil` if the request needn't wait.
    let gate = Mutex<DispatchSemaphore?>(nil)

    init(_ answer: @escaping Answer) { self.answer = Mutex(answer) }
  }

  let server: LoopbackServer
  let clock = TestClock()
  private let script: Script

  init(_ keys: [SigningKey], maximumAge: Int = 20_000) throws {
    let script = Script { Self.answer($0, keys, maximumAge) }
    self.script = script
    server = try LoopbackServer { request, connection in
      script.gate.withLock(\.self)?.wait()
      guard let answer = script.answer.withLock(\.self)(request) else { return connection.stall() }
      return connection.answer(
        status: answer.status,
        headers: answer.headers,
        body: Data(answer.body.utf8)
      )
    }
  }

  private static func answer(
    _ request: ReceivedRequest,
    _ keys: [SigningKey],
    _ maximumAge: Int
  ) -> ScriptedAnswer {
    ScriptedAnswer(
      200,
      headers: ["Cache-Control: public, max-age=\(maximumAge), must-revalidate, no-transform"],
      request.target == "/certificates" ? keys.certificates : keys.keySet
    )
  }

  // MARK: Answers

  func publish(_ keys: [SigningKey], maximumAge: Int = 20_000) {
    script.answer.withLock { $0 = { Self.answer($0, keys, maximumAge) } }
  }

  /// Sets the response to all requests.
  ///
  /// - Parameter answer: the response, or `nil` for none.
  func say(_ answer: ScriptedAnswer?) { script.answer.withLock { $0 = { _ in answer } } }

  /// Sets the response to the next request only.
  func sayOnce(_ answer: ScriptedAnswer) {
    let script = script
    script.answer.withLock { current in
      let next = current
      current = { _ in
        script.answer.withLock { $0 = next }
        return answer
      }
    }
  }

  /// Makes the next request wait until `release()` is called.
  func hold() { script.gate.withLock { $0 = DispatchSemaphore(value: 0) } }

  func release() {
    script.gate.withLock {
      $0?.signal()
      $0 = nil
    }
  }

  func stop() { server.stop() }

  var requestCount: Int { server.requests.count }

  // MARK: Verifiers

  func verifier(
    _ environment: [String: String] = [:],
    timeout: Duration = .seconds(300)
  ) throws -> CallerVerifier {
    let standard = [
      "GOOGLE_CLOUD_PROJECT": TokenDraft.project,
      "ID_TOKEN_KEYS_URL": server.url("/certificates"),
      "APP_CHECK_KEYS_URL": server.url("/jwks"),
    ]
    return try CallerVerifier(
      environment: standard.merging(environment) { $1 },
      transport: .forTests(),
      clock: clock.clock,
      timeout: timeout
    )
  }
}

extension CallerVerifier {
  func caller(with token: String) async throws -> CallerIdentity? {
    try await caller(of: ["authorization": "Bearer \(token)"])
  }

  /// Returns the error for a token, or `nil` if the token is accepted.
  func refusal(of token: String) async -> StatusError? {
    await refusal(of: ["authorization": "Bearer \(token)"])
  }

  func refusal(of headers: [String: String]) async -> StatusError? {
    do throws(StatusError) {
      _ = try await caller(of: headers)
      return nil
    } catch {
      return error
    }
  }
}

func unauthenticated(_ message: String) -> StatusError { StatusError(.unauthenticated, message) }
