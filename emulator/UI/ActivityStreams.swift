import Core
import Delivery
import FirestoreAPI
import Synchronization

/// The streams that are open, by their ids.
final class ActivityStreams: Sendable {
  /// More pages than anybody looks at; each costs memory.
  private static let maximumCount = 64

  /// Another one for each run of the emulator.
  let instance: String
  private let firestore: FirestoreService
  private let feed: ActivityFeed
  private let newID: @Sendable () -> String
  private let streams = Mutex<[String: ActivityStream]>([:])

  private let project: String

  init(
    project: String,
    firestore: FirestoreService,
    feed: ActivityFeed,
    newID: @escaping @Sendable () -> String
  ) {
    self.project = project
    self.firestore = firestore
    self.feed = feed
    self.newID = newID
    instance = newID()
  }

  /// - Throws: `RESOURCE_EXHAUSTED` if there are as many as there may be.
  func refuseIfFull() throws(StatusError) {
    guard streams.withLock(\.count) < Self.maximumCount else { throw Self.full }
  }

  private static let full = StatusError(
    .resourceExhausted,
    "there are \(maximumCount) streams already: close a page"
  )

  /// - Throws: as `refuseIfFull` does.
  func open() throws(StatusError) -> ActivityStream {
    let stream = ActivityStream(
      id: newID(),
      greeting: ["instance": instance, "project": project],
      firestore: firestore,
      feed: feed
    )
    let isOpen = streams.withLock { streams in
      guard streams.count < Self.maximumCount else { return false }
      streams[stream.id] = stream
      return true
    }
    guard isOpen else {
      stream.close()
      throw Self.full
    }
    return stream
  }

  func close(_ stream: ActivityStream) {
    streams.withLock { $0[stream.id] = nil }
    stream.close()
  }

  /// - Throws: `NOT_FOUND`: the page has to open another.
  subscript(id: String) -> ActivityStream {
    get throws(StatusError) {
      guard let stream = streams.withLock({ $0[id] }) else {
        throw StatusError(.notFound, "there is no stream \(quoted(id)), or not any more")
      }
      return stream
    }
  }
}
