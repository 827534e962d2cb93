package import Core

/// A change of a database that a client asks for.
package struct TreeWrite: Sendable {
  /// New data at a path.
  struct Assignment: Sendable {
    var path: TreePath
    /// A Boolean value that indicates whether the data is only the node's priority.
    var isPriority: Bool
    var data: JSONValue
  }

  /// The last part of a path that names a node's priority.
  static let priorityName = ".priority"

  /// The path of the request.
  let path: TreePath
  /// A Boolean value that indicates whether the assignments are the members of a merge.
  let isMerge: Bool
  let assignments: [Assignment]

  /// Creates a write that replaces the data at a path. A path that ends in `.priority` names the
  /// priority of the node before it.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid path.
  package init(setting text: String, to data: JSONValue) throws(StatusError) {
    let assignment = try Self.assignment(text, data)
    path = assignment.path
    isMerge = false
    assignments = [assignment]
  }

  /// Creates a write that replaces the data at several paths below a node.
  ///
  /// - Parameter members: The data by paths relative to the node.
  /// - Throws: `INVALID_ARGUMENT` for an invalid path, or if one path is above another one.
  package init(merging members: JSONObject, into text: String) throws(StatusError) {
    path = try TreePath(text)
    isMerge = true
    var assignments: [Assignment] = []
    for (name, data) in members.sorted(by: { $0.key < $1.key }) {
      var assignment = try Self.assignment(name.string, data)
      assignment.path = try path.appending(assignment.path)
      assignments.append(assignment)
    }
    self.assignments = assignments.filter { !$0.isPriority } + assignments.filter(\.isPriority)
    try checkOverlaps()
  }

  private init(path: TreePath, isMerge: Bool, assignments: [Assignment]) {
    self.path = path
    self.isMerge = isMerge
    self.assignments = assignments
  }

  /// Returns the write without what is at or below a path, or `nil` if nothing is left.
  func without(_ path: TreePath) -> TreeWrite? {
    let rest = assignments.filter { !$0.path.starts(with: path) }
    guard !rest.isEmpty else { return nil }
    return TreeWrite(path: self.path, isMerge: isMerge, assignments: rest)
  }

  private static func assignment(
    _ text: String,
    _ data: JSONValue
  ) throws(StatusError) -> Assignment {
    var parts = text.utf8.split(separator: UInt8(ascii: "/"))
    let isPriority = parts.last?.elementsEqual(priorityName.utf8) == true
    if isPriority { parts.removeLast() }
    let path = try TreePath(parts: parts.map { String(Substring($0)) })
    return Assignment(path: path, isPriority: isPriority, data: data)
  }

  private func checkOverlaps() throws(StatusError) {
    let paths = Set(assignments.filter { !$0.isPriority }.map(\.path))
    guard paths.count == assignments.filter({ !$0.isPriority }).count else { throw Self.overlap }
    for assignment in assignments {
      var keys = assignment.path.keys
      // A node and its priority can be written together only as one object.
      if assignment.isPriority, paths.contains(assignment.path) { throw Self.overlap }
      while keys.count > path.keys.count {
        keys.removeLast()
        if paths.contains(TreePath(keys)) { throw Self.overlap }
      }
    }
  }

  private static var overlap: StatusError {
    StatusError(.invalidArgument, "the update has a path twice, or a path and another one below it")
  }
}
