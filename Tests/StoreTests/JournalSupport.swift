import Core
import FirestoreModel
import Synchronization
import TestKit

@testable import Store

/// A journal that keeps its entries in memory, and refuses writes if the test wants.
final class TestJournal: Journal {
  static let full = StatusError(.resourceExhausted, "the disk is full")

  private struct State {
    var entries: [[JournalEntry]] = []
    var isFull: @Sendable (Int) -> Bool = { _ in false }
    var calls = 0
    var isClosed = false
    var gathering: Meeting?
  }

  private let state = Mutex(State())

  /// The entries of each written group.
  var entries: [[JournalEntry]] { state.withLock(\.entries) }
  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Refuses the writes for which `isFull` returns `true`.
  ///
  /// - Parameter isFull: called with the number of the write, counted from 1.
  func refuse(_ isFull: @escaping @Sendable (Int) -> Bool) {
    state.withLock { $0.isFull = isFull }
  }

  /// Writes everything that the closure commits as one group. The closure must make a commit.
  func gather<Success>(_ commit: () throws -> Success) rethrows -> Success {
    let meeting = Meeting(of: 2)
    state.withLock { $0.gathering = meeting }
    let success = try commit()
    meeting.join()
    return success
  }

  func append(_ entries: [JournalEntry]) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      state.calls += 1
      if state.isFull(state.calls) { throw Self.full }
      state.entries.append(entries)
    }
  }

  func tidy(isIdle: Bool) -> Bool {
    let meeting = state.withLock { state in
      defer { state.gathering = nil }
      return state.gathering
    }
    meeting?.join()
    return false
  }

  func close() { state.withLock { $0.isClosed = true } }
}

extension Store {
  func commitAfterJournal(_ writes: Write...) async throws -> Commit {
    try await commit(writes, in: database, transaction: nil)
  }
}
