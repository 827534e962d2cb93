import FirestoreClient
import FirestoreModel

/// Writes of a conversation's inboxes that are too many for one commit, in parts: of 1,000 readers,
/// none is worth that all fail.
///
/// A part that makes an inbox, or removes one, asks for the conversation as it was read, since whose
/// inbox there is follows from who is a member. One that changes inboxes needn't: it asks for each as
/// it was read, and that of who has been removed meanwhile is gone.
struct WriteChunks: Sequence, IteratorProtocol {
  /// Firestore's client libraries take 500; a few are left for what else a commit holds.
  private static let size = 400

  private var rest: ArraySlice<Write>
  private let condition: Write

  /// - Parameter snapshot: has the conversation.
  init(_ writes: [Write], of conversation: DocumentName, since snapshot: Snapshot) {
    rest = writes[...]
    condition = Write(
      .verify(conversation),
      currentDocument: snapshot.precondition(of: conversation)
    )
  }

  /// Whether one commit takes them all.
  var isOne: Bool { rest.count <= Self.size }

  mutating func next() -> [Write]? {
    guard !rest.isEmpty else { return nil }
    let chunk = Array(rest.prefix(Self.size))
    rest = rest.dropFirst(Self.size)
    // A write of the conversation has the condition itself.
    let isChecked = chunk.contains { $0.name == condition.name }
    return chunk.contains(where: \.makesOrRemoves) && !isChecked ? [condition] + chunk : chunk
  }
}

extension Write {
  /// Whether there is another document after it, or one less.
  fileprivate var makesOrRemoves: Bool {
    if case .delete = operation { return true }
    return currentDocument == .exists(false)
  }
}
