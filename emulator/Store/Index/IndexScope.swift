import Core
import FirestoreModel

/// A set of documents that a query can select from, with its indexes.
///
/// An index is built when a query first needs it, and is updated by every change from then on. In a
/// collection of at least `minimumCount` documents, each field gets an index in advance, so that
/// the first query needn't wait.
final class IndexScope {
  /// The minimum number of documents for an index. It is faster to read all documents of a smaller
  /// scope.
  static let minimumCount = 64
  /// The maximum number of fields whose indexes are built in advance.
  private static let maximumEagerFields = 64
  /// The maximum number of indexes that are built for queries. When it is reached, a new index
  /// replaces the least recently used one.
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
  /// A Boolean value that indicates whether the collection has reached `minimumCount` and the
  /// fields of all its documents are indexed.
  private var hasSeenAll = false
  private var uses = 0

  /// Creates a scope.
  ///
  /// - Parameter records: The initial documents. It is fastest if they are sorted by name.
  init(_ records: [DocumentRecord] = [], makesEagerIndexes: Bool) {
    names = IndexTree(
      records.map { IndexEntry(key: KeyBytes(), record: $0) },
      isNameDescending: false
    )
    self.makesEagerIndexes = makesEagerIndexes
    if let document = records.first?.document { self.makeEagerIndexes(for: document) }
  }

  var count: Int { names.count }

  /// Returns the index with a definition, or `nil` if it isn't built.
  func existing(_ definition: IndexDefinition) -> IndexTree? {
    if definition == .names { return names }
    guard let index = indexes[definition] else { return nil }
    uses += 1
    index.lastUse = uses
    return index.tree
  }

  /// Returns the index with a definition. Builds it if necessary.
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

  /// Updates the indexes after a document has changed. `record` must already have the new version.
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
      // An array may have thousands of keys, so compare them as sets.
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

  /// Adds a document to a new scope that has only the index by name.
  func add(_ record: DocumentRecord) {
    names.insert(IndexEntry(key: KeyBytes(), record: record))
  }

  private func makeEagerIndexes(for document: Document) {
    guard makesEagerIndexes, count >= Self.minimumCount else { return }
    if !hasSeenAll {
      // The collection has just reached the size from which indexes are faster.
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
