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
    keys(atMost: count) { key in start.map { key <= $0 } ?? false }
  }

  /// Returns the first keys after a position, in order.
  ///
  /// - Parameters:
  ///   - count: The maximum number of keys.
  ///   - isBefore: A predicate that is true for the keys before the position, and false for the
  ///     rest.
  package func keys(atMost count: Int, after isBefore: (ByteKey) -> Bool) -> [ByteKey] {
    var keys: [ByteKey] = []
    guard !leaves.isEmpty, count > 0 else { return keys }
    var leaf = max(0, leaves.partitioningIndex { isBefore($0[0]) } - 1)
    var offset = leaves[leaf].partitioningIndex(isBefore)
    while leaf < leaves.count, keys.count < count {
      keys += leaves[leaf][offset...].prefix(count - keys.count)
      (leaf, offset) = (leaf + 1, 0)
    }
    return keys
  }

  /// Returns the number of the last leaf whose first key isn't after a key, or 0 if there is none.
  private func leafIndex(of key: ByteKey) -> Int {
    max(0, leaves.partitioningIndex { $0[0] <= key } - 1)
  }

  /// Returns the number of keys in a leaf that are before a key.
  private static func offset(of key: ByteKey, in leaf: ContiguousArray<ByteKey>) -> Int {
    leaf.partitioningIndex { $0 < key }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element for which a predicate is false. The predicate must be
  /// true for all elements before it, and false for all after it.
  fileprivate func partitioningIndex(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
