/// A position in an index: the key of a document's fields, then the document's name.
struct IndexPosition {
  var key: KeyBytes
  var name: KeyBytes
}

/// A document's entry in an index.
struct IndexEntry {
  let key: KeyBytes
  let record: DocumentRecord

  var position: IndexPosition { IndexPosition(key: key, name: record.key) }
}

/// The sorted entries of an index: a B-tree of two levels.
///
/// A million entries have about three thousand leaves. So a lookup takes about twenty comparisons,
/// and a change moves a few kilobytes at most.
final class IndexTree {
  private static let maximumLeafCount = 512

  private final class Leaf {
    var entries: ContiguousArray<IndexEntry>
    init(_ entries: ContiguousArray<IndexEntry>) { self.entries = entries }
  }

  /// The place of an entry in the tree. The next change of the tree invalidates it.
  struct Index: Equatable {
    fileprivate var leaf: Int
    fileprivate var offset: Int
  }

  /// The leaves. No leaf is empty.
  private var leaves: [Leaf] = []
  private(set) var count = 0
  let isNameDescending: Bool

  init(isNameDescending: Bool = false) { self.isNameDescending = isNameDescending }

  /// Creates a tree with entries.
  ///
  /// - Parameter entries: The entries in any order, without duplicates.
  init(_ entries: consuming [IndexEntry], isNameDescending: Bool) {
    self.isNameDescending = isNameDescending
    entries.sort { compare($0, $1.position) < 0 }
    count = entries.count
    let step = Self.maximumLeafCount * 3 / 4
    for start in stride(from: 0, to: entries.count, by: step) {
      leaves.append(Leaf(ContiguousArray(entries[start..<min(start + step, entries.count)])))
    }
  }

  /// Compares an entry with a position.
  ///
  /// - Returns: A negative number if the entry is before the position, zero if it is at the
  ///   position, and a positive number if it is after the position.
  func compare(_ entry: IndexEntry, _ position: IndexPosition) -> Int {
    let keys = entry.key.compare(to: position.key)
    guard keys == 0 else { return keys }
    let names = entry.record.key.compare(to: position.name)
    return isNameDescending ? -names : names
  }

  func insert(_ entry: IndexEntry) {
    count += 1
    guard !leaves.isEmpty else {
      leaves.append(Leaf([entry]))
      return
    }
    let position = entry.position
    let leafIndex = leaf { compare($0, position) < 0 }
    let leaf = leaves[leafIndex]
    let offset = Self.offset(in: leaf) { compare($0, position) < 0 }
    leaf.entries.insert(entry, at: offset)
    guard leaf.entries.count > Self.maximumLeafCount else { return }
    // If the entry is the last of the whole tree, more will probably follow it, as with ascending
    // keys. So leave the old leaf nearly full.
    let isAtEnd = leafIndex == leaves.count - 1 && offset == leaf.entries.count - 1
    let cut = isAtEnd ? Self.maximumLeafCount * 7 / 8 : Self.maximumLeafCount / 2
    leaves.insert(Leaf(ContiguousArray(leaf.entries[cut...])), at: leafIndex + 1)
    leaf.entries.removeSubrange(cut...)
  }

  func remove(_ entry: IndexEntry) {
    let index = firstIndex { compare($0, entry.position) < 0 }
    guard index != endIndex, compare(self[index], entry.position) == 0 else { return }
    count -= 1
    leaves[index.leaf].entries.remove(at: index.offset)
    if leaves[index.leaf].entries.isEmpty { leaves.remove(at: index.leaf) }
  }

  /// The documents of all entries, in order. A document with several entries occurs several times.
  var records: some Sequence<DocumentRecord> {
    leaves.lazy.flatMap { $0.entries.lazy.map(\.record) }
  }

  // MARK: Finding

  var startIndex: Index { Index(leaf: 0, offset: 0) }
  var endIndex: Index { Index(leaf: leaves.count, offset: 0) }

  subscript(index: Index) -> IndexEntry { leaves[index.leaf].entries[index.offset] }

  func index(after index: Index) -> Index {
    index.offset + 1 < leaves[index.leaf].entries.count
      ? Index(leaf: index.leaf, offset: index.offset + 1)
      : Index(leaf: index.leaf + 1, offset: 0)
  }

  func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(leaf: index.leaf, offset: index.offset - 1)
      : Index(leaf: index.leaf - 1, offset: leaves[index.leaf - 1].entries.count - 1)
  }

  /// Returns the index of the first entry that isn't before a position.
  ///
  /// - Parameter isBefore: A predicate that is true for all entries before the position, and false
  ///   for the rest.
  func firstIndex(_ isBefore: (IndexEntry) -> Bool) -> Index {
    guard !leaves.isEmpty else { return endIndex }
    let leafIndex = leaf(isBefore)
    let offset = Self.offset(in: leaves[leafIndex], isBefore)
    return offset < leaves[leafIndex].entries.count
      ? Index(leaf: leafIndex, offset: offset) : Index(leaf: leafIndex + 1, offset: 0)
  }

  /// Returns the number of entries from one index to another.
  func distance(from start: Index, to end: Index) -> Int {
    guard start.leaf < end.leaf else { return max(0, end.offset - start.offset) }
    var total = leaves[start.leaf].entries.count - start.offset
    for leaf in leaves[(start.leaf + 1)..<end.leaf] { total += leaf.entries.count }
    return total + end.offset
  }

  /// Returns the index that is `distance` entries after `start`.
  func index(_ start: Index, offsetBy distance: Int) -> Index {
    var index = Index(leaf: start.leaf, offset: start.offset + distance)
    while index.leaf < leaves.count, index.offset >= leaves[index.leaf].entries.count {
      index.offset -= leaves[index.leaf].entries.count
      index.leaf += 1
    }
    return index.leaf < leaves.count ? index : endIndex
  }

  /// Returns the number of the last leaf whose first entry is before the position, or 0 if there is
  /// no such leaf.
  private func leaf(_ isBefore: (IndexEntry) -> Bool) -> Int {
    var (low, high) = (0, leaves.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(leaves[middle].entries[0]) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  private static func offset(in leaf: Leaf, _ isBefore: (IndexEntry) -> Bool) -> Int {
    var (low, high) = (0, leaf.entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(leaf.entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
