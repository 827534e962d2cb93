import Core
import FirestoreModel
import FunctionRuntime
import Testing

@testable import Delivery

/// The items that a subscriber of the activity feed receives.
@Suite(.timeLimit(.minutes(10)))
struct ActivityFeedTests {
  private func delivery(_ id: String, attempts: Int = 0) throws -> Delivery {
    let document = try DocumentName("projects/p/databases/(default)/documents/c/d")
    var delivery = Delivery(
      id: id,
      function: "f",
      event: .document(
        DocumentEvent(
          id: "e",
          type: EventType(.created),
          document: document,
          time: Timestamp(seconds: 1),
          value: nil,
          oldValue: nil
        )
      ),
      lineage: [],
      recorded: Timestamp(seconds: 1)
    )
    delivery.attemptCount = attempts
    return delivery
  }

  private func publish(_ id: String, attempts: Int = 0, in feed: ActivityFeed) throws {
    let delivery = try delivery(id, attempts: attempts)
    feed.publish(.delivery(delivery))
  }

  private func entry(_ message: String) -> LogStore.Entry {
    .init(time: .now, function: "f", severity: "INFO", message: message)
  }

  @Test func `only subscribed topics are sent, and a delivery in its newest state`() async throws {
    let feed = ActivityFeed()
    let subscription = feed.subscribe()
    feed.publish(.log(entry("too early")))
    subscription.topics = [.deliveries]
    try publish("a", in: feed)
    try publish("b", in: feed)
    feed.publish(.log(entry("not asked for")))
    try publish("a", attempts: 2, in: feed)
    let news = await subscription.next()
    let told = news.occurrences.compactMap { occurrence -> [String]? in
      guard case .delivery(let delivery) = occurrence else { return nil }
      return [delivery.id, "\(delivery.attemptCount)"]
    }
    #expect(told == [["a", "2"], ["b", "0"]])
    #expect(news.lost == 0)

    // A delivery that was sent before is sent again when it changes.
    try publish("b", attempts: 1, in: feed)
    #expect(await subscription.next().occurrences.count == 1)
  }

  @Test func `a slow reader gets the number of lost items, and at most 2,000 others`()
    async throws
  {
    let feed = ActivityFeed()
    let subscription = feed.subscribe()
    subscription.topics = [.logs, .deliveries]
    for number in 0..<1_500 {
      feed.publish(.log(entry("\(number)")))
      try publish("\(number)", in: feed)
    }
    // The queue had dropped delivery 3. A change of the delivery adds it at the end again.
    try publish("3", attempts: 1, in: feed)
    let news = await subscription.next()
    #expect(news.occurrences.count == 2_000)
    #expect(news.lost == 1_001)
    guard case .delivery(let last)? = news.occurrences.last else {
      Issue.record("the last occurrence is not a delivery")
      return
    }
    #expect((last.id, last.attemptCount) == ("3", 1))
    feed.publish(.log(entry("next")))
    #expect(await subscription.next().lost == 0)
  }

  @Test func `long lines are kept up to a number of bytes`() async throws {
    let feed = ActivityFeed()
    let subscription = feed.subscribe()
    subscription.topics = [.logs]
    let line = String(repeating: "x", count: 1 << 20)
    for _ in 0..<40 { feed.publish(.log(entry(line))) }
    let news = await subscription.next()
    #expect((1...16).contains(news.occurrences.count))
    #expect(news.lost == 40 - news.occurrences.count)
    feed.publish(.log(entry(line)))
    #expect(await subscription.next().occurrences.count == 1)
  }

  @Test func `without subscribers nothing is created, and a cancelled reader stops waiting`()
    async throws
  {
    let feed = ActivityFeed()
    let subscription = feed.subscribe()
    feed.unsubscribe(subscription)
    func make() -> ActivityFeed.Occurrence? {
      Issue.record("the feed created an occurrence that nobody receives")
      return nil
    }
    feed.publish(make())
    subscription.topics = [.logs]
    let waiting = Task { await subscription.next() }
    waiting.cancel()
    #expect(await waiting.value.occurrences.isEmpty)
  }
}
