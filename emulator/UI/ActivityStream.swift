import Core
import Delivery
import FirestoreAPI
import FirestoreProtos
import FunctionHost
import GRPC
import HTTPService
import Services

/// The stream of server-sent events to a page. Each event's data is JSON.
///
/// - `hello` `{"stream","instance","project"}`: the stream's id for the page's requests, the id of
///   the emulator's run, and the project
/// - `activity` `{"deliveries":[…],"calls":[…],"logs":[…],"pushes":[…],"lost":0}`: the activity in
///   the topics that the page set with `PUT /api/stream/{id}/topics`
/// - `listen` `{"session":0,"responses":[…]}`: Firestore's ListenResponses for the targets that the
///   page added to the session with `POST /api/stream/{id}/listen?session=0`
/// - `end` `{"error":…}`: the end of the stream; the page has to open a new one
///
/// A page that reads too slowly gets only the newest state of each delivery, and the number of
/// dropped occurrences in `lost`.
final class ActivityStream: Sendable {
  /// The minimum time between two `activity` events.
  private static let pause = Duration.milliseconds(50)
  private static let heartbeat = Duration.seconds(15)

  let id: String
  private let greeting: [String: String]
  let sessions: ListenSessions
  private let feed: ActivityFeed
  private let subscription: ActivityFeed.Subscription

  /// Creates a stream.
  ///
  /// - Parameter greeting: The fields of `hello` besides the stream's id.
  init(
    id: String,
    greeting: [String: String],
    firestore: FirestoreService,
    feed: ActivityFeed
  ) {
    self.id = id
    self.greeting = greeting.merging(["stream": id]) { $1 }
    self.feed = feed
    sessions = ListenSessions(firestore)
    subscription = feed.subscribe()
  }

  /// Ends the listeners and the subscription.
  func close() {
    sessions.close()
    feed.unsubscribe(subscription)
  }

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
        await handoff.offer(Self.event("hello", self.greeting))
        await withDiscardingTaskGroup { group in
          for await session in self.sessions.opened {
            group.addTask { await self.tellOfDocuments(of: session, to: handoff) }
          }
        }
      }
      group.addTask { await self.tellOfActivity(to: handoff) }
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

  /// Sends the responses of a session. When it has ended, the page has to open a new stream.
  private func tellOfDocuments(
    of session: ListenSessions.Session,
    to handoff: RendezvousChannel<Data>
  ) async {
    var responses = ListenResponses(of: session.listening)
    do throws(StatusError) {
      while let portions = try await responses.next() {
        var messages: [String] = []
        for message in portions.flatMap(\.responses) {
          messages.append(String(decoding: try message.json, as: UTF8.self))
        }
        let list = messages.joined(separator: ",")
        await handoff.offer(
          Self.event(
            "listen",
            Data("{\"session\":\(session.number),\"responses\":[\(list)]}".utf8)
          )
        )
      }
    } catch {
      await handoff.offer(Self.event("end", error.callable))
    }
    handoff.close()
  }

  private func tellOfActivity(to handoff: RendezvousChannel<Data>) async {
    while !Task.isCancelled {
      let news = Activity(await subscription.next())
      await handoff.offer(Self.event("activity", news))
      try? await Task.sleep(for: Self.pause)
    }
  }

  private static func event(_ name: String, _ value: some Encodable) -> Data {
    event(name, (try? JSON.encode(value)) ?? Data("null".utf8))
  }

  private static func event(_ name: String, _ data: Data) -> Data {
    Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
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
