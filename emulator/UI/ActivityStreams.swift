import Core
import Delivery
import Synchronization

/// The open streams of the pages.
final class ActivityStreams: Sendable {
  /// The maximum number of open streams, which limits the memory that they take.
  private static let maximumCount = 64

  /// The id of the emulator's run.
  let instance: String
  private let feed: ActivityFeed
  private let newID: @Sendable () -> String
  private let streams = Mutex<[String: ActivityStream]>([:])

  init(feed: ActivityFeed, newID: @escaping @Sendable () -> String) {
    self.feed = feed
    self.newID = newID
    instance = newID()
  }

  /// Checks that another stream can be opened.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if the maximum number of streams is open.
  func refuseIfFull() throws(StatusError) {
    guard streams.withLock(\.count) < Self.maximumCount else { throw Self.full }
  }

  private static let full = StatusError(
    .resourceExhausted,
    "there are already \(maximumCount) streams: close a page"
  )

  /// Opens a stream.
  ///
  /// - Throws: The error of `refuseIfFull`.
  func open() throws(StatusError) -> ActivityStream {
    let stream = ActivityStream(id: newID(), instance: instance, feed: feed)
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

  /// Closes a stream.
  func close(_ stream: ActivityStream) {
    streams.withLock { $0[stream.id] = nil }
    stream.close()
  }

  /// The open stream with an id.
  ///
  /// - Throws: `NOT_FOUND` if there is none; the page has to open another.
  subscript(id: String) -> ActivityStream {
    get throws(StatusError) {
      guard let stream = streams.withLock({ $0[id] }) else {
        throw StatusError(
          .notFound,
          "stream \(quoted(id)) doesn't exist or was closed: open another"
        )
      }
      return stream
    }
  }
}
