import Core
import Delivery
import FunctionHost
import HTTPService
import Services

/// The stream of server-sent events to a page. Each event's data is JSON.
///
/// - `hello` `{"stream","instance"}`: the stream's id for the page's requests, and the id of the
///   emulator's run
/// - `activity` `{"deliveries":[…],"calls":[…],"logs":[…],"pushes":[…],"lost":0}`: the activity in
///   the topics that the page set with `PUT /api/stream/{id}/topics`
///
/// A page that reads too slowly gets only the newest state of each delivery, and the number of
/// dropped occurrences in `lost`.
final class ActivityStream: Sendable {
  /// The minimum time between two `activity` events.
  private static let pause = Duration.milliseconds(50)
  private static let heartbeat = Duration.seconds(15)

  let id: String
  /// The id of the emulator's run.
  private let instance: String
  private let feed: ActivityFeed
  private let subscription: ActivityFeed.Subscription

  init(id: String, instance: String, feed: ActivityFeed) {
    self.id = id
    self.instance = instance
    self.feed = feed
    subscription = feed.subscribe()
  }

  /// Ends the subscription.
  func close() { feed.unsubscribe(subscription) }

  /// The topics of the `activity` events.
  var topics: Set<ActivityFeed.Topic> {
    get { subscription.topics }
    set { subscription.topics = newValue }
  }

  // MARK: Sending

  /// Sends events until the page disconnects or the stream ends.
  func send(_ writer: inout any ServiceResponseWriter) async throws {
    let handoff = RendezvousChannel<Data>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer {
        handoff.close()
        group.cancelAll()
      }
      group.addTask {
        await handoff.offer(Self.event("hello", ["stream": self.id, "instance": self.instance]))
        await self.tellOfActivity(to: handoff)
      }
      group.addTask {
        while (try? await Task.sleep(for: Self.heartbeat)) != nil {
          await handoff.offer(Data(": ping\n\n".utf8))
        }
      }
      try await handoff.take { bytes in
        try await writer.write(bytes)
        try await writer.flush()
      }
    }
  }

  private func tellOfActivity(to handoff: RendezvousChannel<Data>) async {
    while !Task.isCancelled {
      let news = Activity(await subscription.next())
      await handoff.offer(Self.event("activity", news))
      try? await Task.sleep(for: Self.pause)
    }
  }

  private static func event(_ name: String, _ value: some Encodable) -> Data {
    let data = (try? JSON.encode(value)) ?? Data("null".utf8)
    return Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
  }
}

/// The data of an `activity` event, by topic.
private struct Activity: Encodable {
  var deliveries: [DeliveryReport] = []
  var calls: [CallReport] = []
  var logs: [LogStore.Entry] = []
  var pushes: [any Encodable] = []
  var lost: Int

  init(_ news: ActivityFeed.Subscription.News) {
    lost = news.lost
    for occurrence in news.occurrences {
      switch occurrence {
      case .delivery(let delivery):
        deliveries.append(DeliveryReport(delivery, includingOutput: false))
      case .call(let call): calls.append(CallReport(call, includingOutput: false))
      case .log(let entry): logs.append(entry)
      case .push(let push): pushes.append(push)
      }
    }
  }

  private enum CodingKeys: CodingKey {
    case deliveries, calls, logs, pushes, lost
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !deliveries.isEmpty { try container.encode(deliveries, forKey: .deliveries) }
    if !calls.isEmpty { try container.encode(calls, forKey: .calls) }
    if !logs.isEmpty { try container.encode(logs, forKey: .logs) }
    if !pushes.isEmpty {
      var array = container.nestedUnkeyedContainer(forKey: .pushes)
      for push in pushes { try array.encode(push) }
    }
    if lost > 0 { try container.encode(lost, forKey: .lost) }
  }
}
