import FirestoreModel

/// The documents of one database as a tree of collections and documents.
///
/// A lookup or a change costs one dictionary access per path segment, however many documents a
/// collection has. A document that is missing but has descendants is a node without content, so
/// the collections below it can be found.
struct Database {
  private var root = DocumentNode()

  func document(at path: ResourcePath) -> Document? { root.node(at: path.segments[...])?.document }

  /// Stores a document, or removes it; descendants stay either way.
  mutating func set(_ document: Document?, at path: ResourcePath) {
    root.set(document, at: path.segments[...])
  }

  /// The ids of the collections directly below a document or the root, in byte order.
  func collectionIDs(below parent: ResourcePath) -> [String] {
    guard let node = root.node(at: parent.segments[...]) else { return [] }
    return node.collections.keys.map(\.text).sorted { orderBytes($0.utf8, $1.utf8) < 0 }
  }

  /// A collection's documents in no order; nil stands for a missing one with descendants.
  func entries(of collection: ResourcePath) -> [(id: String, document: Document?)] {
    let parent = root.node(at: collection.parent.segments[...])
    guard let node = parent?.collections[NodeID(collection.id)] else { return [] }
    return node.documents.map { ($0.key.text, $0.value.document) }
  }

  /// The documents a query looks at, in no order: those of the selected collections, which are
  /// all if the selector names none. Only these collections are touched.
  func candidates(
    for selector: StructuredQuery.CollectionSelector,
    below parent: ResourcePath
  ) -> [Document] {
    guard let node = root.node(at: parent.segments[...]) else { return [] }
    let id = selector.collectionId.flatMap { $0.isEmpty ? nil : NodeID($0) }
    var documents: [Document] = []
    if let id, selector.allDescendants != true {
      node.collections[id]?.append(to: &documents)
    } else {
      node.append(
        collectionsNamed: id,
        deep: selector.allDescendants == true,
        to: &documents
      )
    }
    return documents
  }
}

/// An id by its bytes: Firestore doesn't normalise, while Swift's `==` takes é for é however it
/// is encoded.
private struct NodeID: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: NodeID, right: NodeID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

private struct CollectionNode {
  var documents: [NodeID: DocumentNode] = [:]

  func append(to result: inout [Document]) {
    for node in documents.values {
      if let document = node.document { result.append(document) }
    }
  }
}

private struct DocumentNode {
  var document: Document?
  var collections: [NodeID: CollectionNode] = [:]

  var isEmpty: Bool { document == nil && collections.isEmpty }

  func node(at path: ArraySlice<String>) -> DocumentNode? {
    guard let (collection, id, rest) = Self.step(path) else { return self }
    return collections[collection]?.documents[id]?.node(at: rest)
  }

  mutating func set(_ new: Document?, at path: ArraySlice<String>) {
    guard let (collection, id, rest) = Self.step(path) else {
      document = new
      return
    }
    collections[collection, default: .init()].documents[id, default: .init()].set(new, at: rest)
    guard new == nil else { return }
    if collections[collection]?.documents[id]?.isEmpty == true {
      collections[collection]?.documents[id] = nil
    }
    if collections[collection]?.documents.isEmpty == true { collections[collection] = nil }
  }

  func append(collectionsNamed id: NodeID?, deep: Bool, to result: inout [Document]) {
    for (name, collection) in collections {
      if id == nil || id == name { collection.append(to: &result) }
      guard deep else { continue }
      for node in collection.documents.values {
        node.append(collectionsNamed: id, deep: true, to: &result)
      }
    }
  }

  /// The next collection and document of a path, and what follows; nil at its end.
  private static func step(
    _ path: ArraySlice<String>
  ) -> (collection: NodeID, id: NodeID, rest: ArraySlice<String>)? {
    guard let collection = path.first, let id = path.dropFirst().first else { return nil }
    return (NodeID(collection), NodeID(id), path.dropFirst(2))
  }
}
