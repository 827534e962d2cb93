import FirestoreModel

extension Database {
  /// Returns the direct children of a path, in the order of names.
  ///
  /// The children of a document are its collections. The children of a collection are the documents
  /// that exist or have descendants. In the latest state, each child takes one lookup, regardless
  /// of the number of its descendants.
  ///
  /// - Parameters:
  ///   - depth: The number of segments of the parent's path.
  ///   - after: The key of the last child of the previous page, or `nil` to begin with the first
  ///     child.
  func children(
    below parent: KeyBytes,
    depth: Int,
    after last: KeyBytes?,
    limit: Int,
    at time: Int64
  ) -> [(id: String, key: KeyBytes)] {
    log.lastTime ?? 0 <= time
      ? latestChildren(below: parent, depth: depth, after: last, limit: limit)
      : pastChildren(below: parent, depth: depth, after: last, limit: limit, at: time)
  }

  private func latestChildren(
    below parent: KeyBytes,
    depth: Int,
    after last: KeyBytes?,
    limit: Int
  ) -> [(id: String, key: KeyBytes)] {
    var children: [(id: String, key: KeyBytes)] = []
    var start = last?.successor ?? parent
    while children.count < limit {
      let index = all.names.firstIndex { $0.record.key < start }
      guard index != all.names.endIndex else { break }
      let record = all.names[index].record
      guard record.key.starts(with: parent) else { break }
      guard record.name.path.segments.count > depth else {
        // Skip the parent itself, which precedes its descendants.
        start = record.key.next
        continue
      }
      let child = record.child(of: parent, depth: depth)
      children.append(child)
      start = child.key.successor
    }
    return children
  }

  private func pastChildren(
    below parent: KeyBytes,
    depth: Int,
    after last: KeyBytes?,
    limit: Int,
    at time: Int64
  ) -> [(id: String, key: KeyBytes)] {
    var found: [KeyBytes: String] = [:]
    func add(_ record: DocumentRecord) {
      guard record.key.starts(with: parent), record.name.path.segments.count > depth,
        record.document(at: time) != nil
      else { return }
      let child = record.child(of: parent, depth: depth)
      if last.map({ $0 < child.key }) ?? true { found[child.key] = child.id }
    }
    var index = all.names.firstIndex { $0.record.key < parent }
    while index != all.names.endIndex, all.names[index].record.key.starts(with: parent) {
      add(all.names[index].record)
      index = all.names.index(after: index)
    }
    for entry in log.entries(after: time) { add(entry.record) }
    return found.sorted { $0.key < $1.key }.prefix(limit).map { ($0.value, $0.key) }
  }
}

extension DocumentRecord {
  /// Returns the direct child of a path that is this document or one of its ancestors.
  fileprivate func child(of parent: KeyBytes, depth: Int) -> (id: String, key: KeyBytes) {
    let id = name.path.segments[depth]
    var key = parent
    key.append(segment: id, isCollection: depth.isMultiple(of: 2))
    return (id, key)
  }
}
