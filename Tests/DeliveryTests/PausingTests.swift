import Core
import FunctionHost
import FunctionRuntime
import Synchronization
import Testing

@testable import Delivery

/// Pauses of a single function.
@Suite(.timeLimit(.minutes(10)))
struct PausingTests {
  @Test func `a paused function's deliveries wait, and others don't`() async throws {
    let paused = ScriptedTarget { _ in .ok }
    let other = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("paused"), paused), (.notes("other"), other)]) { dispatcher in
      try dispatcher.setPaused(true, function: "paused")
      let ids = try await dispatcher.enqueue(creation())
      let others = ids.filter { dispatcher.delivery($0)?.function == "other" }
      await dispatcher.ended(others)
      #expect(paused.invocations.isEmpty && other.invocations.count == 1)
      #expect(dispatcher.loads["paused"]?.waiting == 1)
      #expect(dispatcher.pausedFunctions == ["paused"])
      try dispatcher.setPaused(false, function: "paused")
      await dispatcher.quiet()
      #expect(paused.invocations.count == 1 && dispatcher.deadLetterCount == 0)
      #expect(dispatcher.loads["paused"]?.waiting == 0)
    }
  }

  @Test func `resuming all functions leaves a function paused by itself`() async throws {
    let target = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      try dispatcher.setPaused(true, function: "probe")
      dispatcher.isPaused = true
      _ = try await dispatcher.enqueue(creation())
      dispatcher.isPaused = false
      #expect(dispatcher.isHeldBack("probe"))
      try dispatcher.setPaused(false, function: "probe")
      await dispatcher.quiet()
      #expect(target.invocations.count == 1)
    }
  }

  @Test func `a queued event isn't run once its function is paused`() async throws {
    let target = QueuedTarget()
    try await withTargets([], prepare: { try $0.register(.notes("probe"), target: target) }) {
      dispatcher in
      let ids = try await dispatcher.enqueue(creation())
      await target.untilInLine()
      try dispatcher.setPaused(true, function: "probe")
      #expect(await target.admit() == false)
      try dispatcher.setPaused(false, function: "probe")
      await target.untilInLine()
      #expect(await target.admit() == true)
      await dispatcher.ended(ids)
      let delivery = try #require(ids.first.flatMap(dispatcher.delivery))
      #expect(delivery.state == .succeeded && delivery.attemptCount == 1)
    }
  }

  @Test func `an unknown function can't be paused`() async throws {
    try await withTargets([]) { dispatcher in
      #expect(throws: StatusError(.notFound, #"there is no function "nobody""#)) {
        try dispatcher.setPaused(true, function: "nobody")
      }
    }
  }
}

/// A function that starts an event only when the test admits it.
private final class QueuedTarget: FunctionTarget {
  private let arrivals = AsyncStream<Void>.makeStream()
  private let admissions = AsyncStream<Void>.makeStream()
  private let outcomes = AsyncStream<Bool>.makeStream()

  func untilInLine() async {
    var iterator = arrivals.stream.makeAsyncIterator()
    await iterator.next()
  }

  /// Admits one event.
  ///
  /// - Returns: `true` if the function got the event, or `false` if the dispatcher had withdrawn it.
  func admit() async -> Bool? {
    admissions.continuation.yield()
    var iterator = outcomes.stream.makeAsyncIterator()
    return await iterator.next()
  }

  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    arrivals.continuation.yield()
    var iterator = admissions.stream.makeAsyncIterator()
    await iterator.next()
    let isWanted = request(.seconds(60)) != nil
    outcomes.continuation.yield(isWanted)
    return isWanted ? .ok : .cancelled
  }

  func close() async {}
}

struct RecentDurationsTests {
  @Test func `percentiles are durations that occurred`() {
    var durations = RecentDurations()
    #expect(durations.percentiles([0.5]) == nil)
    for milliseconds in (1...100).reversed() { durations.add(.milliseconds(milliseconds)) }
    #expect(
      durations.percentiles([0, 0.5, 0.95, 0.99, 1])
        == [1, 50, 95, 99, 100].map { Duration.milliseconds($0) }
    )
  }

  @Test func `only the newest thousand count`() {
    var durations = RecentDurations()
    for milliseconds in 1...2_500 { durations.add(.milliseconds(milliseconds)) }
    #expect(durations.count == 1_000)
    #expect(durations.percentiles([0, 1]) == [.milliseconds(1_501), .milliseconds(2_500)])
  }
}
