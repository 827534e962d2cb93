import Core
import FirestoreModel

/// The set of documents that a query selects from. All of them are below the query's parent, which
/// is a document or the root.
struct QueryTarget: Hashable, Sendable {
  enum Selection: Hashable, Sendable {
    case collection
    /// The documents in all collections with an ID below the parent, at any depth.
    case group(KeyBytes)
    /// All documents below the parent, at any depth.
    case everything
    /// The documents in all of the parent's collections, without their subcollections.
    case children
  }

  let selection: Selection
  /// The common prefix of the documents' keys: the key of the collection or of the parent.
  let prefix: KeyBytes
  private let depth: Int

  /// Creates the target of a query.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the parent is a collection.
  init(_ query: StructuredQuery, parent: ResourceName) throws(StatusError) {
    guard parent.path.segments.count.isMultiple(of: 2) else {
      let name = parent.description
      throw StatusError(
        .invalidArgument,
        "Document parent name \(quoted(name)) lacks \"/\" at index \(name.utf8.count)."
      )
    }
    // A query that names no collection selects from all collections of the parent.
    let selector = query.from.first ?? .init(nil)
    let isDeep = selector.allDescendants == true
    let id = selector.collectionId.flatMap { $0.isEmpty ? nil : $0 }
    var prefix = KeyBytes(parent.path)
    depth = parent.path.segments.count + 2
    if let id, !isDeep {
      selection = .collection
      prefix.append(segment: id, isCollection: true)
    } else if let id {
      selection = .group(KeyBytes(collectionID: id))
    } else {
      selection = isDeep ? .everything : .children
    }
    self.prefix = prefix
  }

  /// Returns whether the set contains a document.
  ///
  /// - Parameter key: The sort key of the path.
  func contains(_ path: ResourcePath, _ key: KeyBytes) -> Bool {
    // The set doesn't contain the parent itself.
    guard key.count > prefix.count, key.starts(with: prefix) else { return false }
    switch selection {
    case .everything: return true
    case .children, .collection:
      return path.segments.count == depth
    case .group(let id):
      return KeyBytes(collectionID: path.segments[path.segments.count - 2]) == id
    }
  }

  func contains(_ record: DocumentRecord) -> Bool { contains(record.name.path, record.key) }

  /// A Boolean value that indicates whether the index scope may contain documents outside this set.
  var isNarrowerThanItsScope: Bool {
    switch selection {
    case .collection: false
    case .children: true
    case .group, .everything: !prefix.isEmpty
    }
  }
}
