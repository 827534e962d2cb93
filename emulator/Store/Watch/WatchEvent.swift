package import FirestoreModel
import Synchronization

/// What one commit means to all who listen to a database: one object, however many they are.
package final class WatchEvent: Sendable {
  package enum News: Sendable {
    /// By the numbers of watches; those that a commit doesn't concern are left out.
    case changes([Int: [WatchChange]])
    /// The database was emptied.
    case clearing
  }

  /// The commit's time. Events of a listener come in the order of their times.
  package let time: Timestamp
  package let news: News
  private let renderings = Mutex<[WatchAudience: any Sendable]>([:])

  init(at time: Timestamp, _ news: News) {
    self.time = time
    self.news = news
  }

  /// What readers make of the event, made once for all to whom it means the same; or twice, if two
  /// want it at the same moment.
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

/// Which of its targets a listener has at the watches of an event.
package struct WatchAudience: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var watch: Int
    package var targets: [Int32]

    package init(watch: Int, targets: [Int32]) {
      self.watch = watch
      self.targets = targets
    }
  }

  /// By ascending numbers of watches.
  package var members: [Member]

  package init(members: [Member]) { self.members = members }
}
