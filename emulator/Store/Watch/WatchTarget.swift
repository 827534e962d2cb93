package import FirestoreModel

/// The documents that a listener listens to.
package enum WatchTarget: Hashable, Sendable {
  /// A query.
  ///
  /// - parent: The root or a document. The query selects below it.
  case query(StructuredQuery, parent: ResourceName)
  /// Documents of one database, which need not exist.
  case documents(DatabaseName, Set<DocumentName>)

  var database: DatabaseName {
    switch self {
    case .query(_, let parent): parent.database
    case .documents(let database, _): database
    }
  }
}

/// The change of one document in a target's result.
package enum WatchChange: Hashable, Sendable {
  /// A document in the result, which is new or different.
  case present(Document)
  /// A changed document, which is no longer in the result.
  case left(Document)
  /// An unchanged document, which is no longer in the result because others took its place.
  case displaced(DocumentName)
  /// A document that doesn't exist.
  case deleted(DocumentName)

  /// The document of the change, or `nil` if the change has only a name.
  var document: Document? {
    switch self {
    case .present(let document), .left(let document): document
    case .displaced, .deleted: nil
    }
  }

  /// The approximate bytes of the document.
  package var weight: Int { document.map(DocumentLimits.size) ?? 0 }
}
