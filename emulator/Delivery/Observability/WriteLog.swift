import DequeModule
package import FirestoreModel
import FunctionRuntime
package import Store
import Synchronization

/// The log of documents' changes, from which `explain` finds who wrote a document.
///
/// To limit memory, the log first drops the documents of the oldest entries, and later the entries.
package final class WriteLog: Sendable {
  /// A change of a document.
  package struct Entry: Sendable {
    /// The id of the change's event, by which the event's deliveries are found.
    package let eventID: String
    package let document: DocumentName
    package let kind: DocumentChange.Kind
    package let time: Timestamp
    /// The fields that an update changed; empty if the document was created or deleted.
    package let fields: [FieldPath]
    /// The fields that the update removed.
    let removed: [FieldPath]
    package let caller: CommitCause.Caller
    /// The invocation that wrote the change, or `nil` if no function did.
    package let invoker: Invoker?
    /// The W3C trace context that the writer sent, or a new one if it sent none.
    package let traceparent: String
    /// The documents before and after the change, or `nil` after the log has dropped them.
    package fileprivate(set) var change: DocumentChange?

    /// Creates an entry.
    ///
    /// - Parameter event: The change's event.
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

    /// The approximate size of the change's documents, in bytes.
    fileprivate var bytes: Int {
      [change?.before, change?.after].reduce(0) { $0 + ($1.map(DocumentLimits.size) ?? 0) }
    }
  }

  private struct State {
    var entries: Deque<Entry> = []
    /// The number of oldest entries whose documents were dropped.
    var bare = 0
    /// The approximate size of the kept documents, in bytes.
    var bytes = 0

    /// Drops the oldest entries.
    mutating func forget(_ count: Int) {
      while bare < count { dropDocuments() }
      entries.removeFirst(count)
      bare -= count
    }

    /// Drops the documents of the oldest entry that has any.
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

  /// All kept entries, the oldest first.
  package var entries: [Entry] { Array(state.withLock(\.entries)) }

  /// Returns the change of a document with this commit time, or `nil` if there is none.
  func entry(of document: DocumentName, at time: Timestamp) -> Entry? {
    state.withLock { $0.entries.last { $0.document == document && $0.time == time } }
  }

  /// Returns the newest change of a document that wrote a field, or any field if `field` is `nil`.
  func lastWrite(to document: DocumentName, _ field: FieldPath?) -> Entry? {
    last(of: document) { entry in
      guard let field, entry.kind == .updated else { return entry.kind != .deleted }
      return entry.fields.contains { $0.isPrefix(of: field) || field.isPrefix(of: $0) }
    }
  }

  /// Returns the newest change that removed a field or its document, or `nil` if there is none.
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
