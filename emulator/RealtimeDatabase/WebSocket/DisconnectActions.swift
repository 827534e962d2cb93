import Core

/// The writes that happen when a client's connection ends.
struct DisconnectActions {
  /// The most writes of one connection.
  private static let most = 1_000

  /// A write, and the user who left it.
  struct Action {
    var write: TreeWrite
    var caller: DatabaseCaller
  }

  private(set) var all: [Action] = []

  /// Adds a write. It replaces earlier ones at and below its paths.
  mutating func add(_ write: TreeWrite, by caller: DatabaseCaller) throws(StatusError) {
    for assignment in write.assignments where !assignment.isPriority { cancel(assignment.path) }
    guard all.count < Self.most else {
      throw StatusError(
        .resourceExhausted,
        "a connection can have \(Self.most) writes for its end, and no more"
      )
    }
    all.append(Action(write: write, caller: caller))
  }

  /// Removes the writes at and below a path.
  mutating func cancel(_ path: TreePath) {
    all = all.compactMap { action in
      action.write.without(path).map { Action(write: $0, caller: action.caller) }
    }
  }
}
