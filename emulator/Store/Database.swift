import FirestoreModel

/// The documents of one database, their past versions, and their indexes.
final class Database {
  private var records: [KeyBytes: DocumentRecord] = [:]
  /// The documents of all collections.
  let all: IndexScope
  private var collections: [KeyBytes: Collection] = [:]
  /// The documents of the collection groups that have been queried, by collection ID.
  private var groups: [KeyBytes: IndexScope] = [:]
  private(set) var log: ChangeLog

  /// The documents of a collection, and the key of its collection group.
  private struct Collection {
    let group: KeyBytes
    let scope: IndexScope
  }

  /// Creates an empty database.
  ///
  /// - Parameter horizon: The earliest time that can be read, in microseconds.
  init(horizon: Int64) {
    log = ChangeLog(horizon: horizon)
    all = IndexScope(makesEagerIndexes: false)
  }

  /// Creates a database with documents.
  ///
  /// - Parameter documents: The initial documents.
  init(_ documents: [Document], horizon: Int64) {
    log = ChangeLog(horizon: horizon)
    var sorted = documents.map { document in
      let record = DocumentRecord(name: document.name, key: KeyBytes(document.name.path))
      record.document = document
      return record
    }
    sorted.sort { $0.key < $1.key }
    all = IndexScope(sorted, makesEagerIndexes: false)
    records.reserveCapacity(sorted.count)
    var members: [KeyBytes: [DocumentRecord]] = [:]
    for record in sorted {
      records[record.key] = record
      members[KeyBytes(record.name.path.parent), default: []].append(record)
    }
    for (key, members) in members {
      collections[key] = Collection(
        group: KeyBytes(collectionID: members[0].name.path.parent.id),
        scope: IndexScope(members, makesEagerIndexes: true)
      )
    }
  }

  // MARK: Reading

  func record(_ key: KeyBytes) -> DocumentRecord? { records[key] }

  func document(_ name: DocumentName) -> Document? { records[KeyBytes(name.path)]?.document }

  /// Returns the documents that a query's target selects from, or `nil` if the collection doesn't
  /// exist.
  func scope(of target: QueryTarget) -> IndexScope? {
    switch target.selection {
    case .collection: collections[target.prefix]?.scope
    case .group(let id): group(id)
    case .everything, .children: all
    }
  }

  private func group(_ id: KeyBytes) -> IndexScope {
    if let scope = groups[id] { return scope }
    let scope = IndexScope(makesEagerIndexes: false)
    for collection in collections.values where collection.group == id {
      for record in collection.scope.names.records { scope.add(record) }
    }
    groups[id] = scope
    return scope
  }

  // MARK: Changing

  /// Applies one change of a commit.
  func apply(_ change: StagedChange, at time: Int64) {
    let record = change.record ?? makeRecord(change)
    record.past.append(.init(change.before, until: time))
    record.document = change.after
    log.append(
      record,
      at: time,
      // A version takes about 500 bytes more than its document.
      weight: 500 + (change.before.map(DocumentLimits.size) ?? 0)
    )
    update(record, from: change.before, to: change.after)
  }

  /// Reverts the change that was applied last, including its entry in the log.
  func revert(_ change: StagedChange) {
    guard let record = records[change.key] else { return }
    log.removeLast()
    record.past.removeLast()
    record.document = change.before
    update(record, from: change.after, to: change.before)
    if record.document == nil, record.past.isEmpty { records[change.key] = nil }
  }

  /// Updates the indexes from one version of a document to the next.
  private func update(_ record: DocumentRecord, from before: Document?, to after: Document?) {
    let path = record.name.path
    let collectionKey = KeyBytes(path.parent)
    let collection = collections[collectionKey] ?? makeCollection(path.parent, collectionKey)
    collection.scope.update(record, from: before, to: after)
    if collection.scope.count == 0 { collections[collectionKey] = nil }
    groups[collection.group]?.update(record, from: before, to: after)
    all.update(record, from: before, to: after)
  }

  private func makeRecord(_ change: StagedChange) -> DocumentRecord {
    let record = DocumentRecord(name: change.name, key: change.key)
    records[change.key] = record
    return record
  }

  private func makeCollection(_ path: ResourcePath, _ key: KeyBytes) -> Collection {
    let collection = Collection(
      group: KeyBytes(collectionID: path.id),
      scope: IndexScope(makesEagerIndexes: true)
    )
    collections[key] = collection
    return collection
  }

  /// Removes history that is too old or too large.
  func trimHistory(before oldest: Int64, maximumWeight: Int) {
    log.trim(before: oldest, maximumWeight: maximumWeight) { record in
      if record.document == nil, record.past.isEmpty { records[record.key] = nil }
    }
  }
}
