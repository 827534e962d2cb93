import Core
import FirestoreModel

/// The documents that a query can select from, and the indexes over them.
///
/// An index is built when it is first needed, and is kept up to date from then on. A collection of
/// `minimumCount` documents also gets an index for each new field of its documents, so that the
/// first query needn't wait.
final class IndexScope {
  /// The number of documents below which reading all of them costs less than an index.
  static let minimumCount = 64
  /// The maximum number of fields whose indexes are built in advance.
  private static let maximumEagerFields = 64
  /// The maximum number of other indexes. A new index replaces the least recently used one.
  private static let maximumOnDemand = 64

  private final class Index {
    let tree: IndexTree
    let isEager: Bool
    var lastUse: Int

    init(_ tree: IndexTree, isEager: Bool, lastUse: Int) {
      self.tree = tree
      self.isEager = isEager
      self.lastUse = lastUse
    }
  }

  let names: IndexTree
  private let makesEagerIndexes: Bool
  private var indexes: [IndexDefinition: Index] = [:]
  private var eagerFields: Set<ByteKey> = []
  /// A Boolean value that indicates whether the fields of all earlier documents have been visited.
  private var hasSeenAll = false
  private var uses = 0

  /// Creates a scope.
  ///
  /// - Parameter records: The initial documents. The order of names is the fastest.
  init(_ records: [DocumentRecord] = [], makesEagerIndexes: Bool) {
    names = IndexTree(
      records.map { IndexEntry(key: KeyBytes(), record: $0) },
      isNameDescending: false
    )
    self.makesEagerIndexes = makesEagerIndexes
    if let document = records.first?.document { self.makeEagerIndexes(for: document) }
  }

  var count: Int { names.count }

  /// Returns the index of a definition, or `nil` if there is none.
  func existing(_ definition: IndexDefinition) -> IndexTree? {
    if definition == .names { return names }
    guard let index = indexes[definition] else { return nil }
    uses += 1
    index.lastUse = uses
    return index.tree
  }

  /// Returns the index of a definition, and builds it if there is none.
  func index(_ definition: IndexDefinition) -> IndexTree {
    if let tree = existing(definition) { return tree }
    let onDemand = indexes.filter { !$0.value.isEager }
    if onDemand.count >= Self.maximumOnDemand,
      let oldest = onDemand.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      indexes[oldest.key] = nil
    }
    return build(definition, isEager: false)
  }

  private func build(_ definition: IndexDefinition, isEager: Bool) -> IndexTree {
    var entries: [IndexEntry] = []
    entries.reserveCapacity(names.count)
    for record in names.records {
      guard let document = record.document else { continue }
      for key in definition.keys(of: document) {
        entries.append(IndexEntry(key: key, record: record))
      }
    }
    let tree = IndexTree(entries, isNameDescending: definition.isNameDescending)
    uses += 1
    indexes[definition] = Index(tree, isEager: isEager, lastUse: uses)
    return tree
  }

  /// Updates the indexes from one version of a document to the next, which `record` already has.
  func update(_ record: DocumentRecord, from before: Document?, to after: Document?) {
    for (definition, index) in indexes {
      if let before, let after, definition.fields.allSatisfy({ before[$0] == after[$0] }) {
        continue
      }
      let old = before.map(definition.keys) ?? []
      let new = after.map(definition.keys) ?? []
      if old == new { continue }
      if old.count < 2, new.count < 2 {
        if let key = old.first { index.tree.remove(IndexEntry(key: key, record: record)) }
        if let key = new.first { index.tree.insert(IndexEntry(key: key, record: record)) }
        continue
      }
      // An array may have many thousand keys, so compare them as sets.
      let (kept, wanted) = (Set(old), Set(new))
      for key in old where !wanted.contains(key) {
        index.tree.remove(IndexEntry(key: key, record: record))
      }
      for key in new where !kept.contains(key) {
        index.tree.insert(IndexEntry(key: key, record: record))
      }
    }
    if before == nil { names.insert(IndexEntry(key: KeyBytes(), record: record)) }
    if after == nil { names.remove(IndexEntry(key: KeyBytes(), record: record)) }
    if let after { makeEagerIndexes(for: after) }
  }

  /// Adds a document from another scope, before there is any index.
  func add(_ record: DocumentRecord) {
    names.insert(IndexEntry(key: KeyBytes(), record: record))
  }

  private func makeEagerIndexes(for document: Document) {
    guard makesEagerIndexes, count >= Self.minimumCount else { return }
    if !hasSeenAll {
      // The collection has just reached the size from which indexes pay.
      hasSeenAll = true
      for record in names.records {
        if let document = record.document { makeIndexes(for: document) }
      }
    }
    makeIndexes(for: document)
  }

  private func makeIndexes(for document: Document) {
    for (name, value) in document.fields {
      if eagerFields.count < Self.maximumEagerFields, eagerFields.insert(name).inserted {
        let definition = IndexDefinition.single(FieldPath(name), .ascending)
        if indexes[definition] == nil { _ = build(definition, isEager: true) }
      }
      if case .array = value, eagerFields.contains(name) {
        let definition = IndexDefinition.single(FieldPath(name), .contains)
        if indexes[definition] == nil { _ = build(definition, isEager: true) }
      }
    }
  }
}

extension Document {
  fileprivate subscript(_ field: IndexDefinition.Field) -> Value? { fields[field.path] }
}
