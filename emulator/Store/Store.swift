package import Core
package import FirestoreModel
import Synchronization

/// Firestore in memory: one writer at a time, and every reader sees the state between two commits.
///
/// All databases of a process share one commit clock, so that times from different databases can
/// be compared. Only who meets the locks of a transaction has to wait (see `MaybePending`).
package final class Store: Sendable {
  /// How much of the past is kept, and for how long waiting is worth while.
  package struct Limits: Sendable {
    /// How long versions stay readable; production keeps an hour.
    package var history = Duration.seconds(3_600)
    /// About how many bytes of superseded versions a database keeps before that.
    package var historyBytes = 64 << 20
    /// How long an operation waits for a transaction's locks before it is ABORTED.
    package var lockWait = Duration.seconds(2)
    /// How many writes a request may have; nil is no limit but that of bytes, as in production.
    package var writesPerCommit: Int?

    package init() {}

    /// - Throws: `INVALID_ARGUMENT` for more writes than a request may have.
    package func check(writeCount: Int) throws(StatusError) {
      guard let most = writesPerCommit, writeCount > most else { return }
      throw StatusError(.invalidArgument, "maximum \(most) writes allowed per request")
    }
  }

  struct State {
    var databases: [DatabaseName: Database] = [:]
    var transactions = TransactionTable()
    /// Operations that wait for a transaction's end, the first to come first.
    var queue: [WaitingOperation] = []
    /// What the writer is about to put into the journal; nil at all other times.
    var group: CommitGroup?
    /// Before that, no database can be read: in microseconds.
    let horizon: Int64
    /// Who listens to what.
    var watches = WatchRegistry()
    /// The latest time handed out, to a commit or to a read.
    private(set) var latest: Timestamp

    init(_ contents: StoreContents) {
      latest = contents.lastCommitTime
      horizon = latest.microseconds
      for (name, documents) in contents.documents {
        databases[name] = Database(documents, horizon: horizon)
      }
    }

    /// A time after every commit and read so far.
    mutating func nextCommitTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds + 1))
      return latest
    }

    /// A time at which exactly the commits so far have happened. Later commits come after it.
    mutating func readTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds))
      return latest
    }

    /// A database, which springs into being when it is first named.
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
  /// What tokens of other runs are told by. Data that was kept is no reason to trust them: it may be
  /// an older copy than what they know.
  package let run = UInt64.random(in: .min ... .max)
  let observers: [any CommitObserver]
  /// What commits if there is a journal; else callers do so themselves.
  let writer: GroupWriter?

  /// - Parameters:
  ///   - indexes: the composite indexes there are; nil answers every query as if it had its own.
  ///   - clock: What time it is; commit times follow it, but never stand still or go back.
  ///   - contents: what the journal has kept.
  ///   - journal: where commits go before they are answered or read; nil keeps them in memory only.
  ///   - observers: take part in every commit, in this order.
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

  /// Drops every document of a database at once. Listeners start anew; nobody else is told, for
  /// there are no changes.
  ///
  /// Transactions end, and the past is gone too.
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
      // Letting go of a hundred thousand documents takes a while, and nobody has to wait for it.
      let discarded = Discarded(database: dropped)
      Task(priority: .utility) { withExtendedLifetime(discarded) {} }
      return .done(())
    }
  }

  /// Ends the writing in good order; without a journal there is nothing to do.
  package func close() async { await writer?.close(self) }

  /// The databases that have documents, by name.
  package var databases: [DatabaseName] {
    state.withLock { state in state.databases.filter { $0.value.all.count > 0 }.map(\.key) }
      .sorted { orderBytes($0.description.utf8, $1.description.utf8) < 0 }
  }
}

/// A database that nobody reads any more.
private struct Discarded: @unchecked Sendable {
  let database: Database
}
