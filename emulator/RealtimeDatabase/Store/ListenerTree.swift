/// The listeners of a database by their paths. A change finds those that it concerns without
/// looking at the others.
final class ListenerTree {
  /// The listeners of one path.
  private final class Place {
    var children: [NodeKey: Place] = [:]
    /// The listeners without a query.
    private var whole: [ObjectIdentifier: TreeListener] = [:]
    /// The listeners with queries, by their order.
    private(set) var queries: [ChildOrder: [ObjectIdentifier: TreeListener]] = [:]
    /// The children in the orders of the queries.
    var indexes: [ChildOrder: ChildIndex] = [:]

    var isUnused: Bool { children.isEmpty && whole.isEmpty && queries.isEmpty }

    var listeners: [TreeListener] { Array(whole.values) + queries.values.flatMap(\.values) }

    func add(_ listener: TreeListener) {
      let id = ObjectIdentifier(listener)
      if listener.query.isComplete {
        whole[id] = listener
      } else {
        queries[listener.query.order, default: [:]][id] = listener
      }
    }

    /// Removes a listener, and returns whether it was here.
    func remove(_ listener: TreeListener) -> Bool {
      let (id, order) = (ObjectIdentifier(listener), listener.query.order)
      guard !listener.query.isComplete else { return whole.removeValue(forKey: id) != nil }
      guard queries[order]?.removeValue(forKey: id) != nil else { return false }
      if queries[order]?.isEmpty == true {
        queries[order] = nil
        indexes[order] = nil
      }
      return true
    }

    /// Tells the listeners without a query. The update is made only if there is one.
    func tell(_ update: @autoclosure () -> TreeUpdate) {
      for listener in whole.values { listener.onUpdate(update()) }
    }
  }

  private let root = Place()
  private(set) var count = 0

  var all: [TreeListener] {
    var found: [TreeListener] = []
    func visit(_ place: Place) {
      found += place.listeners
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
    place.add(listener)
  }

  func remove(_ listener: TreeListener) { remove(listener, listener.path.keys[...], root) }

  private func remove(_ listener: TreeListener, _ keys: ArraySlice<NodeKey>, _ place: Place) {
    if let key = keys.first {
      guard let child = place.children[key] else { return }
      remove(listener, keys.dropFirst(), child)
      if child.isUnused { place.children[key] = nil }
    } else if place.remove(listener) {
      count -= 1
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
    let keys = ChangedKeys(of: write)
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
      notifyQueries(of: place, at: path, effect, keys: keys[path])
      guard depth < write.path.keys.count else { break }
      let key = write.path.keys[depth]
      guard let next = place.children[key] else { return }
      place = next
      path = path.appending(key)
    }
    // Below a merge, each of its paths is for itself.
    var asked = Set<TreePath>()
    for assignment in write.assignments {
      notify(assignment.path, from: place, path, effect, keys, &asked)
    }
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
  /// - Parameters:
  ///   - keys: The keys that the merge changes.
  ///   - asked: The places whose queries have been told of all paths.
  private func notify(
    _ target: TreePath,
    from start: Place,
    _ startPath: TreePath,
    _ effect: WriteEffect,
    _ keys: ChangedKeys,
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
        notifyQueries(of: place, at: path, effect, keys: keys[path])
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
    guard !place.queries.isEmpty else { return }
    let (old, new) = (effect.old[path], effect.new[path])
    // A value without children has none that could be compared one by one.
    let keys = old?.leaf == nil && new?.leaf == nil ? keys() : nil
    for (order, listeners) in place.queries {
      let before = place.indexes[order] ?? ChildIndex(old, by: order)
      var after = before
      if let keys {
        after.update(new, changed: keys)
      } else {
        after = ChildIndex(new, by: order)
      }
      place.indexes[order] = after
      for listener in listeners.values {
        if let keys {
          for change in after.changes(of: listener.query, since: before, changed: keys) {
            let child = path.appending(change.key)
            // Of a child that was there before, only the written part is sent.
            let part = change.stays && !effect.write.isMerge ? effect.write.path : child
            listener.onUpdate(TreeUpdate(path: part, change.child[part.relative(to: child)]))
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

/// The keys of the children that a write changes, by the paths of their parents.
private final class ChangedKeys {
  private let write: TreeWrite
  private lazy var keys = makeKeys()

  init(of write: TreeWrite) { self.write = write }

  /// The keys, or `nil` if all children may change: a merge may write its own node's priority.
  subscript(path: TreePath) -> [NodeKey]? {
    let own = write.path.keys
    guard path.keys.count >= own.count else { return [own[path.keys.count]] }
    return keys[path].map(Array.init)
  }

  private func makeKeys() -> [TreePath: Set<NodeKey>] {
    var keys: [TreePath: Set<NodeKey>] = [:]
    for assignment in write.assignments {
      var path = write.path
      for key in assignment.path.keys.dropFirst(write.path.keys.count) {
        keys[path, default: []].insert(key)
        path = path.appending(key)
      }
    }
    for assignment in write.assignments { keys[assignment.path] = nil }
    return keys
  }
}

/// A change of a child in a query's window.
private struct Change {
  var key: NodeKey
  var child: Node?
  /// A Boolean value that indicates whether the child was and is in the window.
  var stays = false
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
  ) -> [Change] {
    let (oldWindow, newWindow) = (before.window(of: query), window(of: query))
    func wasIn(_ key: NodeKey) -> Bool { before.rank(of: key).map(oldWindow.contains) ?? false }
    func isIn(_ key: NodeKey) -> Bool { rank(of: key).map(newWindow.contains) ?? false }
    var changes: [Change] = []
    var seen = Set<NodeKey>()
    for key in keys {
      seen.insert(key)
      let (old, new) = (before.children[key], children[key])
      switch (wasIn(key), isIn(key)) {
      case (false, false): break
      case (true, false): changes.append(Change(key: key, child: nil))
      case (false, true): changes.append(Change(key: key, child: new))
      case (true, true):
        if !old.isEqual(to: new) { changes.append(Change(key: key, child: new, stays: true)) }
      }
    }
    // Children that haven't changed enter or leave a window at its ends, at most as many as have
    // changed.
    let most = keys.count
    for rank in oldWindow.prefix(most) + oldWindow.suffix(most) {
      let key = before.key(rank: rank)
      if seen.insert(key).inserted, !isIn(key) { changes.append(Change(key: key, child: nil)) }
    }
    for rank in newWindow.prefix(most) + newWindow.suffix(most) {
      let key = key(rank: rank)
      // A child that was seen has changed, or was in the window before.
      if seen.insert(key).inserted, !wasIn(key) {
        changes.append(Change(key: key, child: children[key]))
      }
    }
    // A client drops children beyond its limit, so those that leave go before those that enter.
    return changes.filter { $0.child == nil } + changes.filter { $0.child != nil }
  }
}
