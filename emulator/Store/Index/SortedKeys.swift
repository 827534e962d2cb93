package import Core

/// A sorted set of keys, in leaves of limited size.
///
/// A hundred thousand keys have a few hundred leaves. So a lookup takes about twenty comparisons,
/// and a change moves a few kilobytes at most.
package struct SortedKeys: Sendable {
  private static let maximumLeafCount = 512

  /// The leaves. No leaf is empty.
  private var leaves: [ContiguousArray<ByteKey>] = []

  package init() {}

  package mutating func insert(_ key: ByteKey) {
    guard !leaves.isEmpty else {
      leaves.append([key])
      return
    }
    let leaf = leafIndex(of: key)
    let offset = Self.offset(of: key, in: leaves[leaf])
    guard offset == leaves[leaf].count || leaves[leaf][offset] != key else { return }
    leaves[leaf].insert(key, at: offset)
    guard leaves[leaf].count > Self.maximumLeafCount else { return }
    let cut = Self.maximumLeafCount / 2
    leaves.insert(ContiguousArray(leaves[leaf][cut...]), at: leaf + 1)
    leaves[leaf].removeSubrange(cut...)
  }

  package mutating func remove(_ key: ByteKey) {
    guard !leaves.isEmpty else { return }
    let leaf = leafIndex(of: key)
    let offset = Self.offset(of: key, in: leaves[leaf])
    guard offset < leaves[leaf].count, leaves[leaf][offset] == key else { return }
    leaves[leaf].remove(at: offset)
    if leaves[leaf].isEmpty { leaves.remove(at: leaf) }
  }

  /// Returns the first keys after another key, in order.
  ///
  /// - Parameters:
  ///   - start: The key before the first one, or `nil` to begin with the first key of the set.
  ///   - count: The maximum number of keys.
  package func keys(after start: ByteKey?, atMost count: Int) -> [ByteKey] {
    var keys: [ByteKey] = []
    guard !leaves.isEmpty, count > 0 else { return keys }
    var leaf = start.map(leafIndex) ?? 0
    var offset = 0
    if let start {
      offset = Self.offset(of: start, in: leaves[leaf])
      if offset < leaves[leaf].count, leaves[leaf][offset] == start { offset += 1 }
    }
    while leaf < leaves.count, keys.count < count {
      keys += leaves[leaf][offset...].prefix(count - keys.count)
      (leaf, offset) = (leaf + 1, 0)
    }
    return keys
  }

  /// Returns the number of the last leaf whose first key isn't after a key, or 0 if there is none.
  private func leafIndex(of key: ByteKey) -> Int {
    var (low, high) = (0, leaves.count)
    while low < high {
      let middle = (low + high) / 2
      if leaves[middle][0] <= key { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Returns the number of keys in a leaf that are before a key.
  private static func offset(of key: ByteKey, in leaf: ContiguousArray<ByteKey>) -> Int {
    var (low, high) = (0, leaf.count)
    while low < high {
      let middle = (low + high) / 2
      if leaf[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
