import Core
import FirestoreModel
import Synchronization
import TestKit

@testable import Store

/// A journal that keeps entries in memory, and fails on request.
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

  /// The entries that were written, a list for each group.
  var entries: [[JournalEntry]] { state.withLock(\.entries) }
  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Makes calls fail for which `isFull` returns `true`.
  ///
  /// - Parameter isFull: Returns, for the number of a call, a Boolean value that indicates
  ///   whether the
  ///   call fails.
  func refuse(_ isFull: @escaping @Sendable (Int) -> Bool) {
    state.withLock { $0.isFull = isFull }
  }

  /// Writes everything that `commit` commits as one group. At least one commit is required.
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
