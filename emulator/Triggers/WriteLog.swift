import DequeModule
package import FirestoreModel
package import Store
import Synchronization

/// Who changed which field, to tell why a document is as it is. The oldest changes are forgotten.
package final class WriteLog: Sendable {
  package struct Entry: Sendable {
    package let document: DocumentName
    package let kind: DocumentChange.Kind
    package let time: Timestamp
    /// Of an update, what it changed; empty for the whole document.
    package let fields: [FieldPath]
    package let caller: CommitCause.Caller
    /// The function that wrote it, if one did.
    package let invoker: Invoker?
  }

  private static let capacity = 20_000

  private let entries = Mutex<Deque<Entry>>([])

  func add(_ commit: Commit, by invoker: Invoker?) {
    let new = commit.changes.map { change in
      Entry(
        document: change.name,
        kind: change.kind,
        time: commit.time,
        fields: change.changedFields(),
        caller: commit.cause.caller,
        invoker: invoker
      )
    }
    entries.withLock { entries in
      entries.append(contentsOf: new)
      let excess = entries.count - Self.capacity
      if excess > 0 { entries.removeFirst(excess) }
    }
  }

  /// The newest change of a document that touched a field; of any field if none is given.
  package func last(of document: DocumentName, _ field: FieldPath? = nil) -> Entry? {
    entries.withLock { entries in
      entries.last { entry in
        guard entry.document == document else { return false }
        guard let field, !entry.fields.isEmpty else { return true }
        return entry.fields.contains {
          $0.segments.starts(with: field.segments) || field.segments.starts(with: $0.segments)
        }
      }
    }
  }
}
