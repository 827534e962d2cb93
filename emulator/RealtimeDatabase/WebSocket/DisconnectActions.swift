import Core

/// The writes that happen when a client's connection ends.
struct DisconnectActions {
  /// The most writes of one connection.
  private static let most = 1_000

  private(set) var writes: [TreeWrite] = []

  mutating func add(_ write: TreeWrite) throws(StatusError) {
    guard writes.count < Self.most else {
      throw StatusError(
        .resourceExhausted,
        "a connection can have \(Self.most) writes for its end, and no more"
      )
    }
    writes.append(write)
  }

  /// Removes the writes at and below a path.
  mutating func cancel(_ path: TreePath) {
    writes = writes.compactMap { $0.without(path) }
  }
}
