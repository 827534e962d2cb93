import Core
import FirestoreModel

/// The documents a query can choose from, and the indexes over them.
///
/// Indexes are made when they are first asked for and kept up to date from then on. A collection
/// that has outgrown `minimumCount` also gets one for each field of its documents as it appears,
/// so that a first query needn't wait.
final class IndexScope {
  /// Below this many documents, looking at all of them costs less than an index.
  static let minimumCount = 64
  /// Indexes on single fields that are made unasked.
  private static let maximumEagerFields = 64
  /// Indexes beyond those; the one unused for longest makes room.
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
  /// Whether the fields of all documents have been seen; those of documents without any, too.
  private var hasSeenAll = false
  private var uses = 0

  /// - Parameter records: what is in it to begin with, in the order of names is fastest.
  init(_ records: [DocumentRecord] = [], makesEagerIndexes: Bool) {
    names = IndexTree(
      records.map { IndexEntry(key: KeyBytes(), record: $0) },
      isNameDescending: false
    )
    self.makesEagerIndexes = makesEagerIndexes
    if let document = records.first?.document { self.makeEagerIndexes(for: document) }
  }

  var count: Int { names.count }

  /// The index of a definition, if there is one.
  func existing(_ definition: IndexDefinition) -> IndexTree? {
    if definition == .names { return names }
    guard let index = indexes[definition] else { return nil }
    uses += 1
    index.lastUse = uses
    return index.tree
  }

  /// The index of a definition, made if there is none.
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

  /// Brings the indexes from one version of a document to the next. `record` has the next one.
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
      // Of an array there may be many thousand.
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

  /// Takes in a document from elsewhere, before there is any index.
  func add(_ record: DocumentRecord) {
    names.insert(IndexEntry(key: KeyBytes(), record: record))
  }

  private func makeEagerIndexes(for document: Document) {
    guard makesEagerIndexes, count >= Self.minimumCount else { return }
    if !hasSeenAll {
      // The moment the collection outgrows looking at all of it.
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
