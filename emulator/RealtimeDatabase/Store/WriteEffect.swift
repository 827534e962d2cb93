import Core

/// A write's effect on a tree.
struct WriteEffect: Sendable {
  let write: TreeWrite
  let old: Node?
  private(set) var new: Node?

  /// Computes the effect of a write.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the data isn't valid.
  init(_ write: TreeWrite, on root: Node?, _ values: ServerValues) throws(StatusError) {
    self.write = write
    old = root
    new = root
    for assignment in write.assignments {
      // Priorities come last, so that they also hold for nodes that the same write creates.
      let existing = assignment.isPriority ? new[assignment.path] : root[assignment.path]
      let node: Node?
      if assignment.isPriority {
        let priority = try Node.priority(assignment.data, replacing: existing, values)
        node = existing?.withPriority(priority)
      } else {
        node = try Node.parse(
          assignment.data,
          depth: assignment.path.keys.count,
          replacing: existing,
          values
        )
      }
      new = new.setting(assignment.path, to: node)
    }
  }

  /// A Boolean value that indicates whether the tree is different now.
  var changesAnything: Bool {
    write.assignments.contains { !old[$0.path].isEqual(to: new[$0.path]) }
  }
}
