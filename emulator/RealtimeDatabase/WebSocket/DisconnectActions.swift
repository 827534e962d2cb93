import Core

/// The writes that happen when a client's connection ends.
struct DisconnectActions {
  /// The most writes of one connection.
  private static let most = 1_000

  private(set) var writes: [TreeWrite] = []

  /// Adds a write. It replaces earlier ones at and below its paths.
  mutating func add(_ write: TreeWrite) throws(StatusError) {
    for assignment in write.assignments where !assignment.isPriority { cancel(assignment.path) }
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
