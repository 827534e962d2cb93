/// The listeners of a database by their paths. A change finds those that it concerns without
/// looking at the others.
final class ListenerTree {
  /// The listeners of one path.
  private final class Place {
    var children: [NodeKey: Place] = [:]
    var listeners: [ObjectIdentifier: TreeListener] = [:]
    /// The children in the orders of the queries.
    var indexes: [ChildOrder: ChildIndex] = [:]

    var isUnused: Bool { children.isEmpty && listeners.isEmpty }

    /// Tells the listeners without a query. The update is made only if there is one.
    func tell(_ update: @autoclosure () -> TreeUpdate) {
      for listener in listeners.values where listener.query.isComplete {
        listener.onUpdate(update())
      }
    }
  }

  private let root = Place()
  private(set) var count = 0

  var all: [TreeListener] {
    var found: [TreeListener] = []
    func visit(_ place: Place) {
      found += place.listeners.values
      for child in place.children.values { visit(child) }
    }
    visit(root)
    return found
  }

  func add(_ listener: TreeListener) {
    var place = root
    for key in listener.path.keys {
      if let child = place.children[key] {
        place = child
      } else {
        let child = Place()
        place.children[key] = child
        place = child
      }
    }
    count += 1
    place.listeners[ObjectIdentifier(listener)] = listener
  }

  func remove(_ listener: TreeListener) { remove(listener, listener.path.keys[...], root) }

  private func remove(_ listener: TreeListener, _ keys: ArraySlice<NodeKey>, _ place: Place) {
    if let key = keys.first {
      guard let child = place.children[key] else { return }
      remove(listener, keys.dropFirst(), child)
      if child.isUnused { place.children[key] = nil }
    } else if place.listeners.removeValue(forKey: ObjectIdentifier(listener)) != nil {
      count -= 1
      let orders = Set(place.listeners.values.map(\.query.order))
      place.indexes = place.indexes.filter { orders.contains($0.key) }
    }
  }

  // MARK: Notifying

  /// Tells the listeners about a write's effect.
  func notify(_ effect: WriteEffect) {
    guard count > 0, effect.changesAnything else { return }
    notify(above: effect)
  }

  /// Tells the listeners on the way from the root to the write's paths, then those below.
  private func notify(above effect: WriteEffect) {
    let write = effect.write
    // Listeners at and above the write's path share one update.
    lazy var update = Self.update(of: effect)
    var place = root
    var path = TreePath.root
    for depth in 0...write.path.keys.count {
      let isSet = depth == write.path.keys.count && !write.isMerge
      place.tell(update)
      if isSet {
        notifyQueries(of: place, at: path, effect, keys: nil)
        for (key, child) in place.children { notify(child, path.appending(key), effect) }
        return
      }
      notifyQueries(of: place, at: path, effect, keys: Self.keys(of: write, below: path))
      guard depth < write.path.keys.count else { break }
      let key = write.path.keys[depth]
      guard let next = place.children[key] else { return }
      place = next
      path = path.appending(key)
    }
    // Below a merge, each of its paths is for itself.
    var asked = Set<TreePath>()
    for assignment in write.assignments {
      notify(assignment.path, from: place, path, effect, &asked)
    }
  }

  /// Returns the keys of a node's children that a write changes, or `nil` if it may change all of
  /// them: a merge may also write the priority of its own node.
  private static func keys(of write: TreeWrite, below path: TreePath) -> [NodeKey]? {
    var keys = Set<NodeKey>()
    for assignment in write.assignments where assignment.path.starts(with: path) {
      guard assignment.path != path else { return nil }
      keys.insert(assignment.path.keys[path.keys.count])
    }
    return Array(keys)
  }

  private static func update(of effect: WriteEffect) -> TreeUpdate {
    let write = effect.write
    guard write.isMerge else {
      return TreeUpdate(path: write.path, effect.new[write.path])
    }
    let members = write.assignments.map { assignment in
      (path: assignment.path.relative(to: write.path), node: effect.new[assignment.path])
    }
    // The priority of the merge's own node has no relative path.
    guard members.allSatisfy({ !$0.path.keys.isEmpty }) else {
      return TreeUpdate(path: write.path, effect.new[write.path])
    }
    return TreeUpdate(path: write.path, members: members)
  }

  /// Tells the listeners below a merge's node about one of its paths.
  ///
  /// - Parameter asked: The places whose queries have been told of all paths.
  private func notify(
    _ target: TreePath,
    from start: Place,
    _ startPath: TreePath,
    _ effect: WriteEffect,
    _ asked: inout Set<TreePath>
  ) {
    var place = start
    var path = startPath
    lazy var update = TreeUpdate(path: target, effect.new[target])
    while path.keys.count < target.keys.count {
      let key = target.keys[path.keys.count]
      guard let next = place.children[key] else { return }
      place = next
      path = path.appending(key)
      place.tell(update)
      // Several paths of the merge may be below the place, and its queries are told once.
      if asked.insert(path).inserted {
        notifyQueries(of: place, at: path, effect, keys: Self.keys(of: effect.write, below: path))
      }
    }
    for (key, child) in place.children { notify(child, path.appending(key), effect) }
  }

  /// Tells the listeners at and below a place whose data is replaced as a whole.
  private func notify(_ place: Place, _ path: TreePath, _ effect: WriteEffect) {
    let (old, new) = (effect.old[path], effect.new[path])
    guard !old.isEqual(to: new) else { return }
    lazy var update = TreeUpdate(path: path, new)
    place.tell(update)
    notifyQueries(of: place, at: path, effect, keys: nil)
    for (key, child) in place.children { notify(child, path.appending(key), effect) }
  }

  /// Tells the listeners with queries.
  ///
  /// - Parameter keys: The keys of the changed children, or `nil` if any may have changed.
  private func notifyQueries(
    of place: Place,
    at path: TreePath,
    _ effect: WriteEffect,
    keys: @autoclosure () -> [NodeKey]?
  ) {
    let listeners = place.listeners.values.filter { !$0.query.isComplete }
    guard !listeners.isEmpty else { return }
    let (old, new) = (effect.old[path], effect.new[path])
    // A value without children has none that could be compared one by one.
    let keys = old?.leaf == nil && new?.leaf == nil ? keys() : nil
    for (order, listeners) in Dictionary(grouping: listeners, by: \.query.order) {
      let before = place.indexes[order] ?? ChildIndex(old, by: order)
      var after = before
      if let keys {
        after.update(new, changed: keys)
      } else {
        after = ChildIndex(new, by: order)
      }
      place.indexes[order] = after
      for listener in listeners {
        if let keys {
          for change in after.changes(of: listener.query, since: before, changed: keys) {
            listener.onUpdate(TreeUpdate(path: path.appending(change.key), change.child))
          }
        } else {
          let result = new.result(of: listener.query)
          guard !old.result(of: listener.query).isEqual(to: result) else { continue }
          listener.onUpdate(TreeUpdate(path: path, result))
        }
      }
    }
  }
}

extension ChildIndex {
  /// Returns the children that are new in a query's window or have changed in it, and `nil` for
  /// those that have left it, which come first.
  ///
  /// - Parameters:
  ///   - before: The index before the change.
  ///   - keys: The keys of the children that have changed. The time grows with their number.
  fileprivate func changes(
    of query: TreeQuery,
    since before: ChildIndex,
    changed keys: [NodeKey]
  ) -> [(key: NodeKey, child: Node?)] {
    let (oldWindow, newWindow) = (before.window(of: query), window(of: query))
    func wasIn(_ key: NodeKey) -> Bool { before.rank(of: key).map(oldWindow.contains) ?? false }
    func isIn(_ key: NodeKey) -> Bool { rank(of: key).map(newWindow.contains) ?? false }
    var changes: [(key: NodeKey, child: Node?)] = []
    var seen = Set<NodeKey>()
    for key in keys {
      seen.insert(key)
      let (old, new) = (before.children[key], children[key])
      switch (wasIn(key), isIn(key)) {
      case (false, false): break
      case (true, false): changes.append((key, nil))
      case (false, true): changes.append((key, new))
      case (true, true): if !old.isEqual(to: new) { changes.append((key, new)) }
      }
    }
    // Children that haven't changed enter or leave a window at its ends, at most as many as have
    // changed.
    let most = keys.count
    for rank in oldWindow.prefix(most) + oldWindow.suffix(most) {
      let key = before.key(rank: rank)
      if seen.insert(key).inserted, !isIn(key) { changes.append((key, nil)) }
    }
    for rank in newWindow.prefix(most) + newWindow.suffix(most) {
      let key = key(rank: rank)
      // A child that was seen has changed, or was in the window before.
      if seen.insert(key).inserted, !wasIn(key) { changes.append((key, children[key])) }
    }
    // A client drops children beyond its limit, so those that leave go before those that enter.
    return changes.filter { $0.child == nil } + changes.filter { $0.child != nil }
  }
}
