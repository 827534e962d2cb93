package import FirestoreModel

/// A query or a set of documents that a listener listens to.
package enum WatchTarget: Hashable, Sendable {
  /// A query.
  ///
  /// - parent: The document below which the query selects, or the root.
  case query(StructuredQuery, parent: ResourceName)
  /// Documents of one database. They need not exist.
  case documents(DatabaseName, Set<DocumentName>)

  package var database: DatabaseName {
    switch self {
    case .query(_, let parent): parent.database
    case .documents(let database, _): database
    }
  }
}

/// A change of one document in a target's result.
package enum WatchChange: Hashable, Sendable {
  /// A document in the result that is new or has changed.
  case present(Document)
  /// A document that has changed and is no longer in the result.
  case left(Document)
  /// An unchanged document that is no longer in the result, because other documents moved it out of
  /// the window.
  case displaced(DocumentName)
  /// A document that doesn't exist.
  case deleted(DocumentName)

  /// The changed document, or `nil` if the change has only its name.
  var document: Document? {
    switch self {
    case .present(let document), .left(let document): document
    case .displaced, .deleted: nil
    }
  }

  /// The approximate bytes of the document.
  package var weight: Int { document.map(DocumentLimits.size) ?? 0 }
}
