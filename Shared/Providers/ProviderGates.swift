import Core
import Synchronization

/// What all of a process's calls to a provider share: how many are made at once, and whether it is
/// left alone as it keeps failing. Make one for the life of the process.
package final class ProviderGates: Sendable {
  private struct Gate: Sendable {
    var breaker = CircuitBreaker()
    let semaphore: AsyncSemaphore
  }

  /// How many calls to one provider are under way at once.
  private static let concurrency = 64
  /// A call that was given less than this says nothing of the provider if it came too late.
  private static let fairTime = Duration.seconds(1)

  private let gates = Mutex<[String: Gate]>([:])
  private let concurrency: Int
  private let now: @Sendable () -> ContinuousClock.Instant

  package convenience init() { self.init(concurrency: Self.concurrency) { .now } }

  init(concurrency: Int, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.concurrency = concurrency
    self.now = now
  }

  /// Makes a call when there is a place for it.
  ///
  /// - Parameters:
  ///   - key: tells the provider from others.
  ///   - name: how an error calls it.
  ///   - isFailure: whether an answer says that the provider failed.
  ///   - call: ends by the deadline.
  /// - Throws: UNAVAILABLE at once while the provider is left alone; DEADLINE_EXCEEDED and CANCELLED
  ///   while waiting for a place; and what the call throws.
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
      throw StatusError(.deadlineExceeded, "\(name): too many calls are before this one")
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
        "\(name) keeps failing and is left alone for a while",
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

  /// Only what is the provider's fault counts: our key, our request or our quota is not.
  ///
  /// - Parameter result: whether an answer was a failure.
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
