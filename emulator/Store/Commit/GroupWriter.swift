import Core
import Dispatch
import Synchronization

/// Does the commits of a store that has a journal: all that come while the disk is busy together.
///
/// A group is applied, written and published under the store's lock, so that nobody reads what a
/// power cut could take back. If the disk refuses it, memory is as it was and all who took part
/// are told.
final class GroupWriter: Sendable {
  /// What may commit; called under the store's lock.
  typealias Job = @Sendable (inout Store.State) -> Void

  /// What is to be kept with the next group; called under no lock.
  typealias Records = @Sendable () -> [JournalRecord]

  private struct Inbox {
    var jobs: [Job] = []
    var records: [Records] = []
    var isRunning = false
    /// Whether the thread will look into the inbox by itself.
    var isScheduled = false
  }

  /// How long what nobody waits for may stay out of the journal.
  private static let delay = DispatchTimeInterval.milliseconds(50)

  private let journal: any Journal
  private let inbox = Mutex(Inbox())
  /// One thread at a time, and one that may block.
  private let thread = DispatchQueue(label: "commits", qos: .userInitiated)

  init(_ journal: any Journal) { self.journal = journal }

  /// Does a job with the next group. Jobs are done in the order of their coming.
  func submit(to store: Store, _ job: @escaping Job) {
    let isFirst = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if isFirst { thread.async { self.run(store) } }
  }

  /// Keeps records with the next group that somebody waits for, or soon: each group costs the disk
  /// a sync, during which nobody reads. Records are kept in the order of their coming.
  func keepSoon(in store: Store, _ records: @escaping Records) {
    let isFirst = inbox.withLock { inbox in
      inbox.records.append(records)
      // The thread looks into the inbox before it rests.
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

  /// Returns when all that was submitted is done and the journal is closed.
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

  /// What has come meanwhile; empty after a piece of housekeeping; nil if there is nothing to do.
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
          case .clear(let name, let time, _): state.watches.publishClearing(of: name, at: time)
          }
        }
        // Listeners were told of each commit as of its own time, so the past goes only now.
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
