import Testing

@testable import UI

/// A channel with several senders and one receiver, none of which may wait forever.
@Suite(.timeLimit(.minutes(10)))
struct RendezvousChannelTests {
  private struct Refusal: Error {}

  @Test func `all offered values are received, each once and each sender's in order`() async throws
  {
    let handoff = RendezvousChannel<[Int]>()
    let (taken, sink) = AsyncStream.makeStream(of: [Int].self)
    async let taking: Void = handoff.take { sink.yield($0) }
    await withTaskGroup(of: Void.self) { givers in
      for giver in 0..<5 {
        givers.addTask { for number in 0..<100 { await handoff.offer([giver, number]) } }
      }
    }
    handoff.close()
    try await taking
    sink.finish()
    let all = await taken.reduce(into: [[Int]]()) { $0.append($1) }
    for giver in 0..<5 {
      #expect(all.filter { $0[0] == giver }.map { $0[1] } == Array(0..<100))
    }
  }

  @Test func `a sender waits until its value was handled`() async throws {
    let handoff = RendezvousChannel<Int>()
    let (dealt, sink) = AsyncStream.makeStream(of: Int.self)
    async let taking: Void = handoff.take { number in
      await Task.yield()
      sink.yield(number)
    }
    await handoff.offer(1)
    sink.finish()
    #expect(await dealt.reduce(0, +) == 1)
    handoff.close()
    try await taking
  }

  @Test func `when handling fails or is cancelled, no sender waits any longer`() async throws {
    let failing = RendezvousChannel<Int>()
    async let offers: Void = withTaskGroup(of: Void.self) { group in
      for number in 0..<10 { group.addTask { await failing.offer(number) } }
    }
    await #expect(throws: Refusal.self) { try await failing.take { _ in throw Refusal() } }
    await offers
    await failing.offer(1)

    let cancelled = RendezvousChannel<Int>()
    let taking = Task { try await cancelled.take { _ in } }
    taking.cancel()
    try await taking.value
    await cancelled.offer(1)
  }
}
