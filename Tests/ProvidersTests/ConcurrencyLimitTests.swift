import Platform
import Synchronization
import TestKit
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(10)))
struct ConcurrencyLimitTests {
  /// Who entered, one after the other.
  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  /// Returns when so many wait.
  private func wait(for count: Int, in limit: ConcurrencyLimit) async {
    while limit.waiting != count { await Task.yield() }
  }

  @Test func `who finds no place waits, first come, first served`() async {
    let limit = ConcurrencyLimit(1)
    #expect(await limit.enter(by: .generous) == .entered)
    let order = Order()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...5 {
        group.addTask {
          #expect(await limit.enter(by: .generous) == .entered)
          order.numbers.withLock { $0.append(number) }
          limit.leave()
        }
        await wait(for: number, in: limit)
      }
      limit.leave()
    }
    #expect(order.numbers.withLock(\.self) == [1, 2, 3, 4, 5])
    #expect(await limit.enter(by: .generous) == .entered)
  }

  @Test func `a deadline and a cancellation end the wait, and take no place`() async {
    let limit = ConcurrencyLimit(1)
    #expect(await limit.enter(by: .generous) == .entered)
    #expect(await limit.enter(by: .now + .milliseconds(5)) == .deadlineExceeded)
    #expect(await limit.enter(by: .now) == .deadlineExceeded)
    let task = Task { await limit.enter(by: .generous) }
    await wait(for: 1, in: limit)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(limit.waiting == 0)
    limit.leave()
    #expect(await limit.enter(by: .generous) == .entered)
  }
}
