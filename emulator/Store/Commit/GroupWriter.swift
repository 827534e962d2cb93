import Core
import Dispatch
import Synchronization

/// A writer that implements group commit for a store with a journal.
///
/// All commits that arrive while the disk is busy form the next group, which is written with one
/// sync.
///
/// A group is applied, written and published under the store's lock, so nobody reads data that a
/// power cut could lose. If the journal fails, the changes in memory are undone and every caller
/// gets the error.
final class GroupWriter: Sendable {
  /// A closure that may commit, called under the store's lock.
  typealias Job = @Sendable (inout Store.State) -> Void

  /// A closure that returns the records to write with the next group. No lock is held during the
  /// call.
  typealias Records = @Sendable () -> [JournalRecord]

  private struct Inbox {
    var jobs: [Job] = []
    var records: [Records] = []
    var isRunning = false
    /// A Boolean value that indicates whether a run is scheduled to start after `delay`.
    var isScheduled = false
  }

  /// The maximum time that records wait for the next group.
  private static let delay = DispatchTimeInterval.milliseconds(50)

  private let journal: any Journal
  private let inbox = Mutex(Inbox())
  /// A serial queue. Its thread may block.
  private let thread = DispatchQueue(label: "commits", qos: .userInitiated)

  init(_ journal: any Journal) { self.journal = journal }

  /// Adds a job to the next group. Jobs run in the order of their submission.
  func submit(to store: Store, _ job: @escaping Job) {
    let isFirst = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if isFirst { thread.async { self.run(store) } }
  }

  /// Writes records with the next group of jobs, but no later than after `delay`.
  ///
  /// The records wait because each group costs a disk sync, during which nobody can read. They are
  /// written in the order of their submission.
  func keepSoon(in store: Store, _ records: @escaping Records) {
    let isFirst = inbox.withLock { inbox in
      inbox.records.append(records)
      // If the thread is running, it finds the records before it stops.
      guard !inbox.isRunning, !inbox.isScheduled else { return false }
      inbox.isScheduled = true
      return true
    }
    guard isFirst else { return }
    thread.asyncAfter(deadline: .now() + Self.delay) {
      let isFirst = self.inbox.withLock { inbox in
        inbox.isScheduled = false
        defer { inbox.isRunning = true }
        return !inbox.isRunning
      }
      if isFirst { self.run(store) }
    }
  }

  /// Waits until all submitted jobs are done, then closes the journal.
  func close(_ store: Store) async {
    await withCheckedContinuation { continuation in
      thread.async {
        self.run(store)
        self.journal.close()
        continuation.resume()
      }
    }
  }

  private func run(_ store: Store) {
    while let (jobs, records) = next() {
      let records = records.flatMap { $0() }
      if !jobs.isEmpty || !records.isEmpty { write(jobs, records, store) }
    }
  }

  /// Does a step of the journal's housekeeping, and returns the waiting jobs and records.
  ///
  /// Returns `nil` if there is nothing left to do. Both lists are empty if there is only more
  /// housekeeping.
  private func next() -> ([Job], [Records])? {
    let isIdle = inbox.withLock { $0.jobs.isEmpty && $0.records.isEmpty }
    let hasMore = journal.tidy(isIdle: isIdle)
    return inbox.withLock { inbox in
      if inbox.jobs.isEmpty, inbox.records.isEmpty, !hasMore {
        inbox.isRunning = false
        return nil
      }
      defer { (inbox.jobs, inbox.records) = ([], []) }
      return (inbox.jobs, inbox.records)
    }
  }

  private func write(_ jobs: [Job], _ records: [JournalRecord], _ store: Store) {
    let (group, failure) = store.state.withLock { state -> (CommitGroup, StatusError?) in
      state.group = CommitGroup(records: records)
      for job in jobs { job(&state) }
      let group = state.group ?? CommitGroup()
      state.group = nil
      do throws(StatusError) {
        let entries = group.entries
        if !entries.isEmpty { try journal.append(entries) }
        for step in group.steps {
          switch step {
          case .commit(let commit, let changes, let database, let events):
            store.publish(commit, changes, in: database, events, &state)
          case .clear(let name, let time, _):
            state.watches.publishClearing(of: name, at: time, state.database(name))
          }
        }
        // Publishing reads the state at each commit's time, so trim the history only afterward.
        for case .commit(let commit, _, let database, _) in group.steps {
          store.trimHistory(of: database, at: commit.time)
        }
        return (group, nil)
      } catch {
        state.revert(group)
        return (group, error)
      }
    }
    for answer in group.answers { answer(failure) }
  }
}
