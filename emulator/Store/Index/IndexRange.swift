import FirestoreModel

/// A position between two entries of an index.
struct IndexBound {
  /// The prefix of a key. An entry whose key begins with the prefix is said to be at the bound.
  let key: KeyBytes
  /// The document name to which the names of the entries at the bound are compared, or `nil` if all
  /// of them are on the same side of the bound.
  var name: KeyBytes?
  /// A Boolean value that indicates whether the bound comes after the entries at the bound.
  var isAfter: Bool

  func isAfter(_ key: KeyBytes, _ name: KeyBytes, isNameDescending: Bool) -> Bool {
    let keys = key.compare(toPrefix: self.key)
    if keys != 0 { return keys < 0 }
    guard let bound = self.name else { return isAfter }
    let names = name.compare(to: bound)
    return names == 0 ? isAfter : (names < 0) != isNameDescending
  }
}

/// A part of an index: the entries that are after all lower bounds and before all upper bounds.
struct IndexRange {
  let definition: IndexDefinition
  var lower: [IndexBound]
  var upper: [IndexBound]

  func isBefore(_ key: KeyBytes, _ name: KeyBytes) -> Bool {
    lower.contains {
      $0.isAfter(key, name, isNameDescending: definition.isNameDescending)
    }
  }

  func isBeyond(_ key: KeyBytes, _ name: KeyBytes) -> Bool {
    upper.contains {
      !$0.isAfter(key, name, isNameDescending: definition.isNameDescending)
    }
  }

  func contains(_ key: KeyBytes, _ name: KeyBytes) -> Bool {
    !isBefore(key, name) && !isBeyond(key, name)
  }

  func start(in tree: IndexTree) -> IndexTree.Index {
    tree.firstIndex { isBefore($0.key, $0.record.key) }
  }

  func end(in tree: IndexTree) -> IndexTree.Index {
    upper.isEmpty ? tree.endIndex : tree.firstIndex { !isBeyond($0.key, $0.record.key) }
  }
}
