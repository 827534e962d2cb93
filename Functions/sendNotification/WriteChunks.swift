import FirestoreModel

/// Writes that are too many for one commit, in parts: of 1,000 readers, none is worth that all fail.
struct WriteChunks: Sequence, IteratorProtocol {
  /// Firestore's client libraries take 500; a few are left for what else a commit holds.
  static let size = 400

  private var rest: ArraySlice<Write>

  init(_ writes: [Write]) { rest = writes[...] }

  mutating func next() -> [Write]? {
    guard !rest.isEmpty else { return nil }
    let chunk = rest.prefix(Self.size)
    rest = rest.dropFirst(Self.size)
    return Array(chunk)
  }
}
