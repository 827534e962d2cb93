import DequeModule
package import FirestoreModel
import FunctionRuntime
package import Store
import Synchronization

/// Who changed which field, to tell why a document is as it is. The oldest changes are forgotten, and
/// their documents before them.
package final class WriteLog: Sendable {
  package struct Entry: Sendable {
    /// Of the change's event, and so of what was delivered of it.
    package let eventID: String
    package let document: DocumentName
    package let kind: DocumentChange.Kind
    package let time: Timestamp
    /// Of an update, what it changed; empty for the whole document.
    package let fields: [FieldPath]
    /// Those of them that are gone since.
    let removed: [FieldPath]
    package let caller: CommitCause.Caller
    /// The function that wrote it, if one did.
    package let invoker: Invoker?
    /// The W3C trace context that the writer sent, or the one that was made for the commit.
    package let traceparent: String
    /// The documents before and after; nil once they take too much memory.
    package fileprivate(set) var change: DocumentChange?

    /// - Parameter event: what the change is to functions.
    init(_ change: DocumentChange, event: DocumentEvent, of commit: Commit, by invoker: Invoker?) {
      let fields = event.updateMask
      eventID = event.id
      document = change.name
      kind = change.kind
      time = commit.time
      self.fields = fields
      removed = fields.filter { change.after?.fields[$0] == nil }
      caller = commit.cause.caller
      self.invoker = invoker
      traceparent = event.traceparent ?? ""
      self.change = change
    }

    /// About how much memory its documents take.
    fileprivate var bytes: Int {
      [change?.before, change?.after].reduce(0) { $0 + ($1.map(DocumentLimits.size) ?? 0) }
    }
  }

  private struct State {
    var entries: Deque<Entry> = []
    /// How many at the beginning have no documents any more.
    var bare = 0
    /// Of the documents of the others.
    var bytes = 0

    mutating func forget(_ count: Int) {
      while bare < count { dropDocuments() }
      entries.removeFirst(count)
      bare -= count
    }

    /// Those of the oldest that has any.
    mutating func dropDocuments() {
      bytes -= entries[bare].bytes
      entries[bare].change = nil
      bare += 1
    }
  }

  private static let capacity = 20_000
  private static let maximumBytes = 32 << 20

  private let state = Mutex(State())

  func add(_ new: [Entry]) {
    let bytes = new.reduce(0) { $0 + $1.bytes }
    state.withLock { state in
      state.entries.append(contentsOf: new)
      state.bytes += bytes
      let excess = state.entries.count - Self.capacity
      if excess > 0 { state.forget(excess) }
      while state.bytes > Self.maximumBytes { state.dropDocuments() }
    }
  }

  /// The oldest first.
  package var entries: [Entry] { Array(state.withLock(\.entries)) }

  /// A document's change at a time.
  func entry(of document: DocumentName, at time: Timestamp) -> Entry? {
    state.withLock { $0.entries.last { $0.document == document && $0.time == time } }
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
    state.withLock { $0.entries.last { $0.document == document && fits($0) } }
  }
}

extension FieldPath {
  fileprivate func isPrefix(of other: FieldPath) -> Bool {
    other.segments.starts(with: segments)
  }
}
