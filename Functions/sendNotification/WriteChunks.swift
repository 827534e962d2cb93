import FirestoreClient
import FirestoreModel

/// The writes of a conversation's inboxes, in chunks that each fit into one commit.
///
/// With 1,000 readers, a conflict on one inbox must not fail the writes of all others.
/// A chunk that creates or deletes an inbox requires that the conversation hasn't changed since it
/// was read, because only members have an inbox. A chunk that only changes inboxes needs no such
/// precondition: each write requires the inbox to be as it was read, and a removed member's inbox
/// no longer exists.
struct WriteChunks: Sequence, IteratorProtocol {
  /// The maximum number of writes in a chunk.
  ///
  /// Firestore's client libraries accept 500. The remaining 100 are for the commit's other writes.
  private static let size = 400

  private var rest: ArraySlice<Write>
  private let condition: Write

  /// Splits writes into chunks.
  ///
  /// - Parameter snapshot: a snapshot that contains the conversation.
  init(_ writes: [Write], of conversation: DocumentName, since snapshot: Snapshot) {
    rest = writes[...]
    condition = Write(
      .verify(conversation),
      currentDocument: snapshot.precondition(of: conversation)
    )
  }

  /// A Boolean value that indicates whether all writes fit into one commit.
  var isOne: Bool { rest.count <= Self.size }

  mutating func next() -> [Write]? {
    guard !rest.isEmpty else { return nil }
    let chunk = Array(rest.prefix(Self.size))
    rest = rest.dropFirst(Self.size)
    // A write of the conversation has this precondition itself.
    let isChecked = chunk.contains { $0.name == condition.name }
    return chunk.contains(where: \.makesOrRemoves) && !isChecked ? [condition] + chunk : chunk
  }
}

extension Write {
  /// A Boolean value that indicates whether the write creates or deletes a document.
  fileprivate var makesOrRemoves: Bool {
    if case .delete = operation { return true }
    return currentDocument == .exists(false)
  }
}
