import Core
import FirestoreModel

/// The documents a query looks at: those of one collection, of all collections of an id, or all,
/// at or below a parent.
struct QueryTarget: Hashable, Sendable {
  enum Selection: Hashable, Sendable {
    case collection
    /// Every collection of that id below the parent.
    case group(KeyBytes)
    /// Every document below the parent.
    case everything
    /// The documents directly in any of the parent's collections.
    case children
  }

  let selection: Selection
  /// The key all the documents' keys begin with: the collection's, or the parent's.
  let prefix: KeyBytes
  private let depth: Int

  /// - Throws: `INVALID_ARGUMENT` if the parent is a collection.
  init(_ query: StructuredQuery, parent: ResourceName) throws(StatusError) {
    guard parent.path.segments.count.isMultiple(of: 2) else {
      let name = parent.description
      throw StatusError(
        .invalidArgument,
        "Document parent name \(quoted(name)) lacks \"/\" at index \(name.utf8.count)."
      )
    }
    // A query that names no collection looks into all of the parent's.
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

  /// Whether a document of a name is one of them.
  ///
  /// - Parameter key: the path's.
  func contains(_ path: ResourcePath, _ key: KeyBytes) -> Bool {
    // A parent isn't below itself.
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

  /// Whether an index's entries may lie outside of it.
  var isNarrowerThanItsScope: Bool {
    switch selection {
    case .collection: false
    case .children: true
    case .group, .everything: !prefix.isEmpty
    }
  }
}
