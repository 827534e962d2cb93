import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Synchronization
import Testing

@testable import Delivery

/// Failed deliveries and their retries.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryRetryTests {
  /// Returns a function that asks for a retry the given number of times, then succeeds.
  private func failing(_ times: Int) -> ScriptedTarget {
    let left = Mutex(times)
    return ScriptedTarget { _ in
      left.withLock { left in
        left -= 1
        return left < 0 ? .ok : .tryAgain
      }
    }
  }

  @Test func `a retryable failure is retried with the same id and the next attempt`() async throws {
    let target = failing(2)
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded)
      #expect(delivery.attempts.map(\.number) == [1, 2, 3])
      #expect(delivery.attempts.map { $0.result?.exitCode } == [75, 75, 0])
      #expect(target.invocations.map(\.attempt) == [1, 2, 3])
      #expect(Set(target.invocations.map(\.id)) == [delivery.id])
      #expect(Set(target.invocations.map(\.traceparent)).count == 3)
      #expect(dispatcher.deadLetterCount == 0)
    }
  }

  @Test func `the local policy makes three attempts, 100 and 200 ms apart`() async throws {
    let clock = SteppedClock()
    let target = failing(.max)
    try await withTargets([(.notes("probe"), target)], clock: clock) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .deadLettered && delivery.attemptCount == 3)
      #expect(delivery.result?.error?.message == "down")
      #expect(clock.now.duration(since: Timestamp(seconds: 1_000)) == .milliseconds(300))
      #expect(dispatcher.deadLetterCount == 1)
    }
  }

  @Test func `the production policy retries for a day, at most every ten minutes`() async throws {
    let clock = SteppedClock()
    let target = failing(.max)
    try await withTargets(
      [(.notes("probe"), target)],
      retryPolicy: .production,
      clock: clock
    ) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      let age = clock.now.duration(since: Timestamp(seconds: 1_000))
      #expect(delivery.state == .deadLettered)
      #expect(age <= .seconds(86_400) && age > .seconds(86_400 - 600))
      // The delay doubles six times. From then on it is between 300 and 600 s.
      #expect((144...300).contains(delivery.attemptCount))
      #expect(delivery.attempts.count == Delivery.maximumAttemptsKept)
    }
  }

  @Test func `a function that recovers after hours gets its event`() async throws {
    let clock = SteppedClock()
    let target = ScriptedTarget { _ in
      clock.now.duration(since: Timestamp(seconds: 1_000)) > .seconds(3 * 3_600) ? .ok : .tryAgain
    }
    try await withTargets(
      [(.notes("probe"), target)],
      retryPolicy: .production,
      clock: clock
    ) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .succeeded)
    }
  }

  @Test(arguments: [65, 70, 77, 78])
  func `a permanent failure of the function is a dead letter at once`(exitCode: Int) async throws {
    let line =
      #"{"status":"error","exitCode":\#(exitCode),"error":{"code":"INTERNAL","message":""}}"#
    let target = ScriptedTarget { _ in .said(line) }
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .deadLettered && delivery.attemptCount == 1)
    }
  }

  @Test func `a trigger without retries gets none`() async throws {
    let target = failing(1)
    try await withTargets([(.notes("probe", retry: false), target)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .deadLettered)
    }
  }

  @Test func `a retried dead letter gets its full number of attempts`() async throws {
    let target = failing(4)
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      let dead = try await dispatcher.delivered(creation())
      #expect(dead.state == .deadLettered)
      try dispatcher.retry(dead.id)
      await dispatcher.quiet()
      let delivery = try #require(dispatcher.delivery(dead.id))
      #expect(delivery.state == .succeeded && delivery.attemptCount == 5)
      #expect(dispatcher.deadLetterCount == 0)
      #expect(throws: StatusError.self) { try dispatcher.retry(dead.id) }
      #expect(throws: StatusError.self) { try dispatcher.retry("nobody") }
    }
  }

  @Test(
    arguments: [
      (nil, 100), (50, 100), (700, 700), (60_000, 1_000),
    ] as [(Int?, Int)]
  )
  func `a provider's retry delay is kept up to the policy's maximum`(
    asked: Int?,
    milliseconds: Int
  ) {
    let delay = DeliveryRetryPolicy.local.delay(
      after: 1,
      age: .zero,
      chance: 0,
      asked: asked.map { .milliseconds($0) }
    )
    #expect(delay == .milliseconds(milliseconds))
  }

  @Test func `a retry by hand doesn't wait for the next attempt`() async throws {
    // The delay is a real day, so only the manual retry can run the second attempt.
    let policy = DeliveryRetryPolicy(
      firstDelay: .seconds(86_400),
      maximumDelay: .seconds(86_400),
      maximumAttempts: 2,
      window: nil,
      hasJitter: false
    )
    let failed = AsyncStream<Void>.makeStream()
    let target = ScriptedTarget { request in
      guard request.invocation.attempt == 1 else { return .ok }
      failed.continuation.yield()
      return .tryAgain
    }
    try await withDispatcher([:], retryPolicy: policy) { dispatcher in
      try dispatcher.register(.notes("probe"), target: target)
      let ids = try await dispatcher.enqueue(creation())
      let id = try #require(ids.first)
      for await _ in failed.stream { break }
      while dispatcher.delivery(id)?.nextAttempt == nil { await Task.yield() }
      try dispatcher.retry(id)
      await dispatcher.ended(ids)
      #expect(dispatcher.delivery(id)?.state == .succeeded)
    }
  }

  @Test func `paused deliveries wait, and none is lost`() async throws {
    let target = failing(0)
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      dispatcher.isPaused = true
      var ids: [String] = []
      for number in 0..<10 { ids += try await dispatcher.enqueue(creation(of: "n\(number)")) }
      #expect(dispatcher.deliveries.allSatisfy { $0.state == .waiting })
      dispatcher.isPaused = false
      await dispatcher.quiet()
      #expect(ids.count == 10 && target.invocations.count == 10)
    }
  }

  @Test func `an event whose function can't be started becomes a dead letter, too`() async throws {
    let target = ScriptedTarget(takesEvents: false) { _ in .ok }
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      let delivery = try await dispatcher.delivered(creation())
      #expect(delivery.state == .deadLettered && delivery.attemptCount == 3)
      #expect(delivery.result?.error?.message == "can't be started")
    }
  }

  @Test func `concurrent retries by hand run the delivery once`() async throws {
    let target = failing(.max)
    try await withTargets(
      [(.notes("probe"), target)],
      retryPolicy: .once
    ) { dispatcher in
      let ids = try await dispatcher.enqueue(creation())
      let id = try #require(ids.first)
      for _ in 0..<500 {
        await dispatcher.ended(ids)
        // Both retries run at the same time. One may find the delivery waiting or running.
        async let other = Result { try dispatcher.retry(id) }
        _ = try? dispatcher.retry(id)
        _ = await other
      }
      await dispatcher.quiet()
      let delivery = try #require(dispatcher.delivery(id))
      #expect(delivery.state == .deadLettered && dispatcher.deadLetterCount == 1)
      #expect(target.invocations.count == delivery.attemptCount)
      #expect(target.invocations.map(\.attempt) == Array(1...delivery.attemptCount))
    }
  }

  @Test func `production's delays are random, and at least half`() {
    let policy = DeliveryRetryPolicy.production
    func delay(_ attempts: Int, _ chance: Double) -> Duration? {
      policy.delay(after: attempts, age: .zero, chance: chance)
    }
    #expect(delay(1, 0) == .seconds(5) && delay(1, 1) == .seconds(10))
    #expect(delay(3, 0.5) == .seconds(30))
    #expect(delay(50, 1) == .seconds(600))
    #expect(policy.delay(after: 9, age: .seconds(86_000), chance: 1) == nil)
  }
}
