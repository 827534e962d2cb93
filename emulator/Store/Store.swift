package import Core
package import FirestoreModel
import Synchronization

/// A Firestore in memory. It has one writer at a time, and readers see the state between two
/// commits.
///
/// All databases of a process share one commit clock, so that their times can be compared. Only an
/// operation that meets a transaction's locks has to wait (see `MaybePending`).
package final class Store: Sendable {
  /// The limits of the history, of waiting, and of requests.
  package struct Limits: Sendable {
    /// The time for which superseded versions stay readable. Production keeps an hour.
    package var history = Duration.seconds(3_600)
    /// The approximate size up to which a database keeps superseded versions, in bytes.
    package var historyBytes = 64 << 20
    /// The longest wait for a transaction's locks. After it, the operation is ABORTED.
    package var lockWait = Duration.seconds(2)
    /// The maximum number of writes in a request, or `nil` to limit only their bytes, as production
    /// does.
    package var writesPerCommit: Int?

    package init() {}

    /// Checks the number of writes in a request.
    ///
    /// - Throws: `INVALID_ARGUMENT` for more writes than a request may have.
    package func check(writeCount: Int) throws(StatusError) {
      guard let most = writesPerCommit, writeCount > most else { return }
      throw StatusError(.invalidArgument, "maximum \(most) writes allowed per request")
    }
  }

  struct State {
    var databases: [DatabaseName: Database] = [:]
    var transactions = TransactionTable()
    /// The operations that wait for a transaction's end, in the order of their arrival.
    var queue: [WaitingOperation] = []
    /// The group that the writer is about to put into the journal, or `nil` at all other times.
    var group: CommitGroup?
    /// The earliest time that can be read in any database, in microseconds.
    let horizon: Int64
    /// The open listeners.
    var watches = WatchRegistry()
    /// The latest time given to a commit or to a read.
    private(set) var latest: Timestamp

    init(_ contents: StoreContents) {
      latest = contents.lastCommitTime
      horizon = latest.microseconds
      for (name, documents) in contents.documents {
        databases[name] = Database(documents, horizon: horizon)
      }
    }

    /// Returns a time after every commit and read so far.
    mutating func nextCommitTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds + 1))
      return latest
    }

    /// Returns a time that includes exactly the commits so far. Later commits come after it.
    mutating func readTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds))
      return latest
    }

    /// Returns a database, and creates it if it is new.
    mutating func database(_ name: DatabaseName) -> Database {
      if let database = databases[name] { return database }
      let database = Database(horizon: horizon)
      databases[name] = database
      return database
    }
  }

  let state: Mutex<State>
  let clock: @Sendable () -> Timestamp
  package let limits: Limits
  let indexes: IndexConfiguration?
  /// The number of this run, which distinguishes its tokens from those of other runs.
  ///
  /// Tokens of other runs are invalid even with kept data, which may be older than what clients
  /// know.
  package let run = UInt64.random(in: .min ... .max)
  let observers: [any CommitObserver]
  /// The writer of commits if there is a journal. Without one, callers commit on their own thread.
  let writer: GroupWriter?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - indexes: The declared indexes, or `nil` to answer every query as if its index existed.
  ///   - clock: A closure that returns the current time. Commit times follow it, but always
  ///     advance.
  ///   - contents: The contents that the journal has kept.
  ///   - journal: The journal to write commits to before they are answered or read, or `nil` to
  ///     keep them in memory only.
  ///   - observers: The observers of every commit, called in this order.
  package init(
    limits: Limits = .init(),
    indexes: IndexConfiguration? = nil,
    contents: StoreContents = .init(),
    journal: (any Journal)? = nil,
    clock: @escaping @Sendable () -> Timestamp = { .now },
    observers: [any CommitObserver] = []
  ) {
    state = Mutex(State(contents))
    writer = journal.map(GroupWriter.init)
    self.limits = limits
    self.indexes = indexes
    self.clock = clock
    self.observers = observers
  }

  /// Deletes every document of a database at once.
  ///
  /// Listeners start anew. Observers aren't notified, because there are no changes. Transactions
  /// end, and the history is deleted too.
  package func attemptClear(_ name: DatabaseName) throws(StatusError) -> MaybePending<Void> {
    try attemptCommitting(for: nil) { state, _ in
      let dropped = state.databases.removeValue(forKey: name)
      let time = state.nextCommitTime(at: self.clock())
      for transaction in state.transactions.all(in: name) { state.abort(transaction) }
      guard let dropped else { return .done(()) }
      state.databases[name] = Database(horizon: time.microseconds)
      if state.group == nil {
        state.watches.publishClearing(of: name, at: time)
      } else {
        state.group?.steps.append(.clear(name, at: time, dropped: dropped))
      }
      // Freeing a hundred thousand documents takes a while, so nobody waits for it.
      let discarded = Discarded(database: dropped)
      Task(priority: .utility) { withExtendedLifetime(discarded) {} }
      return .done(())
    }
  }

  /// Closes the journal in an orderly state. Without a journal, it does nothing.
  package func close() async { await writer?.close(self) }

  /// The databases that have documents, sorted by name.
  package var databases: [DatabaseName] {
    state.withLock { state in state.databases.filter { $0.value.all.count > 0 }.map(\.key) }
      .sorted { orderBytes($0.description.utf8, $1.description.utf8) < 0 }
  }
}

/// A dropped database that nobody reads any more.
private struct Discarded: @unchecked Sendable {
  let database: Database
}
