import Core
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AsyncSemaphoreTests {
  /// The numbers of the callers, in the order in which they got their permits.
  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  /// Waits until the semaphore has the given number of waiting callers.
  private func wait(for count: Int, at semaphore: AsyncSemaphore) async {
    while semaphore.waitingCount != count { await Task.yield() }
  }

  @Test func `a caller without a permit waits, first come, first served`() async {
    let semaphore = AsyncSemaphore(limit: 1)
    #expect(await semaphore.wait(until: .generous) == .acquired)
    let order = Order()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...5 {
        group.addTask {
          #expect(await semaphore.wait(until: .generous) == .acquired)
          order.numbers.withLock { $0.append(number) }
          semaphore.signal()
        }
        await wait(for: number, at: semaphore)
      }
      semaphore.signal()
    }
    #expect(order.numbers.withLock(\.self) == [1, 2, 3, 4, 5])
    #expect(await semaphore.wait(until: .generous) == .acquired)
  }

  @Test func `a deadline and a cancellation end the wait, and take no permit`() async {
    let semaphore = AsyncSemaphore(limit: 1)
    #expect(await semaphore.wait(until: .generous) == .acquired)
    #expect(await semaphore.wait(until: .now + .milliseconds(5)) == .deadlineExceeded)
    #expect(await semaphore.wait(until: .now) == .deadlineExceeded)
    let task = Task { await semaphore.wait() }
    await wait(for: 1, at: semaphore)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(semaphore.waitingCount == 0)
    semaphore.signal()
    #expect(await semaphore.wait(until: .generous) == .acquired)
  }

  @Test func `callers that gave up are skipped, and more permits admit more`() async {
    let semaphore = AsyncSemaphore(limit: 1)
    #expect(await semaphore.wait() == .acquired)
    let first = Task { await semaphore.wait() }
    await wait(for: 1, at: semaphore)
    let others = (0..<2).map { _ in Task { await semaphore.wait() } }
    await wait(for: 3, at: semaphore)
    first.cancel()
    #expect(await first.value == .cancelled)
    semaphore.resize(to: 3)
    for other in others { #expect(await other.value == .acquired) }
    #expect(semaphore.acquiredCount == 3)
  }

  @Test func `closing ends all waits, current and later ones`() async {
    let semaphore = AsyncSemaphore(limit: 0)
    let waiter = Task { await semaphore.wait() }
    await wait(for: 1, at: semaphore)
    semaphore.close()
    #expect(await waiter.value == .closed)
    #expect(await semaphore.wait() == .closed)
  }
}
