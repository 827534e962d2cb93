package import Core
package import FirestoreModel
import Synchronization

/// A Firestore in memory. One commit happens at a time, and reads see the state between two
/// commits.
///
/// All databases of a store share one commit clock, so that their times can be compared. An
/// operation has to wait only if a transaction's locks block it (see `MaybePending`).
package final class Store: Sendable {
  /// The limits of the history, of waiting, and of requests.
  package struct Limits: Sendable {
    /// The time for which superseded versions stay readable. In production it is an hour.
    package var history = Duration.seconds(3_600)
    /// The approximate maximum size of a database's superseded versions, in bytes.
    package var historyBytes = 64 << 20
    /// The maximum wait for a transaction's locks. After it, the operation fails with `ABORTED`.
    package var lockWait = Duration.seconds(2)
    /// The maximum number of writes in a request, or `nil` to limit only their total size, as
    /// production does.
    package var writesPerCommit: Int?

    package init() {}

    /// Checks the number of writes in a request.
    ///
    /// - Throws: `INVALID_ARGUMENT` if a request has too many writes.
    package func check(writeCount: Int) throws(StatusError) {
      guard let most = writesPerCommit, writeCount > most else { return }
      throw StatusError(.invalidArgument, "maximum \(most) writes allowed per request")
    }
  }

  struct State {
    var databases: [DatabaseName: Database] = [:]
    var transactions = TransactionTable()
    /// The operations that wait for transactions to end, in the order of their arrival.
    var queue: [WaitingOperation] = []
    /// The group of commits that the writer is collecting for the journal, or `nil` if there is
    /// none.
    var group: CommitGroup?
    /// The earliest time that can be read in any database, in microseconds.
    let horizon: Int64
    /// The open listeners.
    var watches = WatchRegistry()
    /// The latest time of a commit or a read.
    private(set) var latest: Timestamp

    init(_ contents: StoreContents) {
      latest = contents.lastCommitTime
      horizon = latest.microseconds
      for (name, documents) in contents.documents {
        databases[name] = Database(documents, horizon: horizon)
      }
    }

    /// Returns a time later than every commit and read so far.
    mutating func nextCommitTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds + 1))
      return latest
    }

    /// Returns a time for reading the current state. Later commits get later times.
    mutating func readTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds))
      return latest
    }

    /// Returns a database. Creates it if it doesn't exist.
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
  /// A random number that distinguishes the resume tokens of this run from those of other runs.
  ///
  /// Tokens of other runs are invalid even if the journal kept the data, because clients may know a
  /// newer state than the journal.
  package let run = UInt64.random(in: .min ... .max)
  let observers: [any CommitObserver]
  /// The writer of commits, or `nil` if there is no journal. If it is `nil`, each caller commits on
  /// its own thread.
  let writer: GroupWriter?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - indexes: The declared indexes, or `nil` to treat every query as if its index existed.
  ///   - clock: A closure that returns the current time. If the clock stands still or goes back,
  ///     commit times still increase.
  ///   - contents: The initial contents, such as those restored from the journal.
  ///   - journal: The journal that commits are written to before anybody can see them, or `nil` to
  ///     keep them only in memory.
  ///   - observers: The observers that are called for every commit, in this order.
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

  /// Deletes all documents of a database at once.
  ///
  /// Listeners start again from an empty database, and transactions are aborted. The history is
  /// deleted too. Observers aren't notified, because a clearing isn't a commit.
  package func attemptClear(_ name: DatabaseName) throws(StatusError) -> MaybePending<Void> {
    try attemptCommitting(for: nil) { state, _ in
      let dropped = state.databases.removeValue(forKey: name)
      let time = state.nextCommitTime(at: self.clock())
      for transaction in state.transactions.all(in: name) { state.abort(transaction) }
      guard let dropped else { return .done(()) }
      let database = Database(horizon: time.microseconds)
      state.databases[name] = database
      if state.group == nil {
        state.watches.publishClearing(of: name, at: time, database)
      } else {
        state.group?.steps.append(.clear(name, at: time, dropped: dropped))
      }
      // Freeing a hundred thousand documents takes a while, so do it in the background.
      let discarded = Discarded(database: dropped)
      Task(priority: .utility) { withExtendedLifetime(discarded) {} }
      return .done(())
    }
  }

  /// Waits until all submitted commits are written, then closes the journal. If there is no
  /// journal, it does nothing.
  package func close() async { await writer?.close(self) }

  /// The databases that have documents, sorted by name.
  package var databases: [DatabaseName] {
    state.withLock { state in state.databases.filter { $0.value.all.count > 0 }.map(\.key) }
      .sorted { orderBytes($0.description.utf8, $1.description.utf8) < 0 }
  }
}

/// A database that was cleared, and that nobody else has access to.
private struct Discarded: @unchecked Sendable {
  let database: Database
}
