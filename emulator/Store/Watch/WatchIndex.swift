import FirestoreModel

/// The watches of one database, indexed by the collections and documents that they select from.
struct WatchIndex {
  var byTarget: [WatchTarget: Watch] = [:]
  var byCollection: [KeyBytes: [Watch]] = [:]
  var byGroup: [KeyBytes: [Watch]] = [:]
  var byDocument: [KeyBytes: [Watch]] = [:]
  /// The watches that select from all collections.
  var allCollections: [Watch] = []
  /// The checks that listeners must pass.
  var checks = WatchChecks()

  /// Updates the lists that a watch belongs to.
  ///
  /// - Parameter change: A closure that adds the watch to a list, or removes it from the list.
  mutating func update(_ watch: Watch, _ change: (inout [Watch]) -> Void) {
    func update(_ lists: inout [KeyBytes: [Watch]], _ key: KeyBytes) {
      change(&lists[key, default: []])
      if lists[key]?.isEmpty == true { lists[key] = nil }
    }
    if case .documents(let names) = watch.answer {
      for key in names.keys { update(&byDocument, key) }
    }
    guard let target = watch.answer.query?.prepared.target else { return }
    switch target.selection {
    case .collection: update(&byCollection, target.prefix)
    case .group(let id): update(&byGroup, id)
    case .everything, .children: change(&allCollections)
    }
  }

  /// Returns the watches that a change may affect.
  func watches(for change: StagedChange) -> [Watch] {
    var watches = allCollections
    let collection = change.name.path.parent
    if !byCollection.isEmpty { watches += byCollection[KeyBytes(collection)] ?? [] }
    if !byDocument.isEmpty { watches += byDocument[change.key] ?? [] }
    if !byGroup.isEmpty { watches += byGroup[KeyBytes(collectionID: collection.id)] ?? [] }
    return watches
  }
}
