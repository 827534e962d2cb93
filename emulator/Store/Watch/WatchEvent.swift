package import FirestoreModel
import Synchronization

/// The effect of one commit on the listeners of a database. All of them share one object.
package final class WatchEvent: Sendable {
  package enum News: Sendable {
    /// The changes by the numbers of the watches. Watches without changes are left out.
    case changes([Int: [WatchChange]])
    /// The clearing of the database.
    case clearing
  }

  /// The commit's time. Each listener gets events in the order of their times.
  package let time: Timestamp
  package let news: News
  private let renderings = Mutex<[WatchAudience: any Sendable]>([:])

  init(at time: Timestamp, _ news: News) {
    self.time = time
    self.news = news
  }

  /// Returns a reader's rendering of the event, made once for all readers with the same audience.
  ///
  /// If two readers need it at the same moment, both make it.
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

/// The targets that a listener has at the watches of an event.
package struct WatchAudience: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var watch: Int
    package var targets: [Int32]

    package init(watch: Int, targets: [Int32]) {
      self.watch = watch
      self.targets = targets
    }
  }

  /// The members, by ascending number of the watch.
  package var members: [Member]

  package init(members: [Member]) { self.members = members }
}
