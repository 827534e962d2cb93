package import FirestoreModel

/// What a listener wants to hear of.
package enum WatchTarget: Hashable, Sendable {
  /// - parent: the root or a document; the query looks below it.
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

/// What became of one document in a target's answer.
package enum WatchChange: Hashable, Sendable {
  /// It is in the answer, and new or different.
  case present(Document)
  /// It is different and therefore not in the answer any more.
  case left(Document)
  /// It is as it was and not in the answer any more: others took its place.
  case displaced(DocumentName)
  /// There is no such document.
  case deleted(DocumentName)

  /// What it holds, if it holds any.
  var document: Document? {
    switch self {
    case .present(let document), .left(let document): document
    case .displaced, .deleted: nil
    }
  }

  /// About how many bytes it has.
  package var weight: Int { document.map(DocumentLimits.size) ?? 0 }
}
