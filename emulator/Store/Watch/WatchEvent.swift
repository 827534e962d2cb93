package import FirestoreModel
import Synchronization

/// The effect of one commit on the watches of a database. All listeners share one instance.
package final class WatchEvent: Sendable {
  package enum News: Sendable {
    /// The changes of each watch's result, by the watch's number. Watches whose result is unchanged
    /// are left out.
    case changes([Int: [WatchChange]])
    /// The clearing of the database.
    case clearing
  }

  /// The commit's time. Each listener receives its events in the order of their times.
  package let time: Timestamp
  package let news: News
  private let renderings = Mutex<[WatchAudience: any Sendable]>([:])

  init(at time: Timestamp, _ news: News) {
    self.time = time
    self.news = news
  }

  /// Returns an encoding of the event for a listener. Listeners with the same audience share it.
  ///
  /// If two listeners need the encoding at the same time, each of them may make it.
  package func rendering<Rendering: Sendable, Failure: Error>(
    for audience: WatchAudience,
    make: () throws(Failure) -> Rendering
  ) throws(Failure) -> Rendering {
    let known = renderings.withLock { $0[audience] }
    if let known, let made = known as? Rendering { return made }
    let made = try make()
    renderings.withLock { $0[audience] = made }
    return made
  }
}

/// The watches in an event to which a listener is subscribed, and the listener's numbers for their
/// targets.
package struct WatchAudience: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var watch: Int
    package var targets: [Int32]

    package init(watch: Int, targets: [Int32]) {
      self.watch = watch
      self.targets = targets
    }
  }

  /// The listener's watches, sorted by number.
  package var members: [Member]
  /// A Boolean value that indicates whether documents that leave a target are removed by name only.
  package var hidesLeavingDocuments = false

  package init(members: [Member]) { self.members = members }
}
