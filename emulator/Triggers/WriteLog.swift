import DequeModule
import FirestoreModel
import Store
import Synchronization

/// Who changed which field, to tell why a document is as it is. The oldest changes are forgotten.
final class WriteLog: Sendable {
  struct Entry: Sendable {
    let document: DocumentName
    let kind: DocumentChange.Kind
    let time: Timestamp
    /// Of an update, what it changed; empty for the whole document.
    let fields: [FieldPath]
    /// Those of them that are gone since.
    let removed: [FieldPath]
    let caller: CommitCause.Caller
    /// The function that wrote it, if one did.
    let invoker: Invoker?

    /// - Parameter fields: what the change changed.
    init(_ change: DocumentChange, fields: [FieldPath], of commit: Commit, by invoker: Invoker?) {
      document = change.name
      kind = change.kind
      time = commit.time
      self.fields = fields
      removed = fields.filter { change.after?.fields[$0] == nil }
      caller = commit.cause.caller
      self.invoker = invoker
    }
  }

  private static let capacity = 20_000

  private let entries = Mutex<Deque<Entry>>([])

  func add(_ new: [Entry]) {
    entries.withLock { entries in
      entries.append(contentsOf: new)
      let excess = entries.count - Self.capacity
      if excess > 0 { entries.removeFirst(excess) }
    }
  }

  /// A document's change at a time.
  func entry(of document: DocumentName, at time: Timestamp) -> Entry? {
    entries.withLock { $0.last { $0.document == document && $0.time == time } }
  }

  /// The newest change of a document that wrote a field; any change if none is given.
  func lastWrite(to document: DocumentName, _ field: FieldPath?) -> Entry? {
    last(of: document) { entry in
      guard let field, entry.kind == .updated else { return entry.kind != .deleted }
      return entry.fields.contains { $0.isPrefix(of: field) || field.isPrefix(of: $0) }
    }
  }

  /// What took a field away, or the whole document; nil if it was never there.
  func removal(of field: FieldPath?, from document: DocumentName) -> Entry? {
    last(of: document) { entry in
      if entry.kind == .deleted { return true }
      guard let field else { return false }
      return entry.removed.contains { $0.isPrefix(of: field) }
    }
  }

  private func last(of document: DocumentName, where fits: (Entry) -> Bool) -> Entry? {
    entries.withLock { $0.last { $0.document == document && fits($0) } }
  }
}

extension FieldPath {
  fileprivate func isPrefix(of other: FieldPath) -> Bool {
    other.segments.starts(with: segments)
  }
}
