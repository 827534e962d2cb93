import Core
import Synchronization

/// The concurrency limits and circuit breakers of a process's calls, one of each for every
/// provider.
///
/// Create one instance for the life of the process.
package final class ProviderGates: Sendable {
  private struct Gate: Sendable {
    var breaker = CircuitBreaker()
    let semaphore: AsyncSemaphore
  }

  /// The maximum number of concurrent calls to one provider.
  private static let concurrency = 64
  /// The minimum time limit of calls whose timeouts count as failures of the provider.
  private static let fairTime = Duration.seconds(1)

  private let gates = Mutex<[String: Gate]>([:])
  private let concurrency: Int
  private let now: @Sendable () -> ContinuousClock.Instant

  package convenience init() { self.init(concurrency: Self.concurrency) { .now } }

  init(concurrency: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.concurrency = concurrency
    self.now = now
  }

  /// Makes a call as soon as the concurrency limit admits it.
  ///
  /// - Parameters:
  ///   - key: the key that distinguishes the provider from others.
  ///   - name: the provider's name in errors.
  ///   - isFailure: whether a response reports a failure of the provider.
  ///   - call: the call, which ends by the deadline.
  /// - Throws: `UNAVAILABLE` at once while the circuit is open; `DEADLINE_EXCEEDED` or `CANCELLED`
  ///   if the deadline passes or the task is cancelled before the call begins; and the errors of
  ///   the call.
  func call<Answer: Sendable>(
    _ key: String,
    name: String,
    by deadline: ContinuousClock.Instant,
    isFailure: (Answer) -> Bool = { _ in false },
    _ call: () async throws(StatusError) -> Answer
  ) async throws(StatusError) -> Answer {
    let semaphore = change(key) { $0.semaphore }
    switch await semaphore.wait(until: deadline) {
    case .acquired: break
    case .deadlineExceeded:
      throw StatusError(
        .deadlineExceeded,
        "\(name): the deadline passed while too many other calls were running"
      )
    case .cancelled, .closed:
      throw StatusError(.cancelled, "\(name): cancelled before the call")
    }
    defer { semaphore.signal() }
    let start = now()
    let isProbe: Bool
    switch change(key, { $0.breaker.admit(at: start) }) {
    case .admitted(let admittedAsProbe): isProbe = admittedAsProbe
    case .refused(let wait):
      throw StatusError(
        .unavailable,
        "\(name) keeps failing, so calls to it are paused",
        retryAfter: wait
      )
    }
    let result: Result<Answer, StatusError>
    do throws(StatusError) {
      result = .success(try await call())
    } catch {
      result = .failure(error)
    }
    let hadTime = start.duration(to: deadline) >= Self.fairTime
    let verdict = Self.verdict(of: result.map(isFailure), hadTime: hadTime)
    let end = now()
    change(key) { $0.breaker.record(verdict, isProbe: isProbe, at: end) }
    return try result.get()
  }

  /// Returns the verdict of a call. Only the provider's own failures count, not errors about the
  /// key, the request or the quota.
  ///
  /// - Parameter result: whether the response reports a failure, or the error that the call threw.
  private static func verdict(
    of result: Result<Bool, StatusError>,
    hadTime: Bool
  ) -> CircuitBreaker.Verdict {
    switch result {
    case .success(let isFailure): isFailure ? .failed : .alive
    case .failure(let error):
      switch error.code {
      case .unavailable: .failed
      case .deadlineExceeded: hadTime ? .failed : .unknown
      default: .unknown
      }
    }
  }

  @discardableResult
  private func change<Value: Sendable>(_ key: String, _ change: (inout Gate) -> Value) -> Value {
    gates.withLock { gates in
      var gate = gates[key] ?? Gate(semaphore: AsyncSemaphore(limit: concurrency))
      defer { gates[key] = gate }
      return change(&gate)
    }
  }
}
