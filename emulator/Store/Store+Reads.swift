package import FirestoreModel
import JSONCoding
import Platform
package import RPCStatus
import Synchronization

extension Store {
  /// A document as of the last commit, nil if there is none.
  package func document(_ name: DocumentName) -> Document? {
    state.withLock { $0.databases[name.database]?.document(at: name.path) }
  }

  /// Several documents in one consistent state; missing ones are left out.
  ///
  /// - Returns: The documents, and a time at which all of them were so.
  package func documents(
    _ names: [DocumentName]
  ) -> (documents: [DocumentName: Document], readTime: Timestamp) {
    state.withLock { state in
      var documents: [DocumentName: Document] = [:]
      for name in names {
        documents[name] = state.databases[name.database]?.document(at: name.path)
      }
      return (documents, state.readTime(at: clock()))
    }
  }

  /// The ids of the collections directly below a document or the root, in byte order.
  ///
  /// A collection exists as long as anything below it does, and its parent may be missing.
  package func collectionIDs(below parent: ResourceName) -> [String] {
    state.withLock { $0.databases[parent.database]?.collectionIDs(below: parent.path) ?? [] }
  }

  /// One page of a collection in the order of names.
  ///
  /// - Parameters:
  ///   - pageSize: At most 300; 0 is 100, as in production.
  ///   - pageToken: Where the last page ended; nil or empty starts at the beginning.
  ///   - showMissing: Whether documents that only have descendants appear, with their name alone.
  ///   - mask: The fields to return; nil is all.
  /// - Throws: `INVALID_ARGUMENT` for what isn't a collection, a negative size or a strange token.
  package func list(
    collection: ResourceName,
    pageSize: Int = 0,
    pageToken: String? = nil,
    showMissing: Bool = false,
    mask: FieldMask? = nil
  ) throws(StatusError) -> (documents: [Document], nextPageToken: String?) {
    guard !collection.path.segments.count.isMultiple(of: 2) else {
      throw StatusError(.invalidArgument, "\(quoted(collection.description)) is not a collection.")
    }
    guard pageSize >= 0 else {
      throw StatusError(.invalidArgument, "Page size must be nonnegative.")
    }
    let limit = pageSize == 0 ? 100 : min(pageSize, 300)
    let start = try Self.path(after: pageToken, in: collection.path)
    let entries = state.withLock {
      $0.databases[collection.database]?.entries(of: collection.path) ?? []
    }
    var rows: [(path: ResourcePath, document: Document?)] = []
    for entry in entries where showMissing || entry.document != nil {
      // Checking an id again costs more than everything else here, so only missing ones pay it.
      let path =
        if let document = entry.document {
          document.name.path
        } else {
          try collection.path.appending(entry.id)
        }
      if let start, path <= start { continue }
      rows.append((path, entry.document))
    }
    rows.sort { $0.path < $1.path }
    var documents: [Document] = []
    for row in rows.prefix(limit) {
      let name = try DocumentName(database: collection.database, path: row.path)
      documents.append(row.document?.masked(by: mask) ?? Document(name: name, fields: [:]))
    }
    let next = rows.count > limit ? documents.last.map { Self.pageToken(endingAt: $0.name) } : nil
    return (documents, next)
  }

  // A page token is the last document's id in base64: it survives any change in between.

  private static func pageToken(endingAt name: DocumentName) -> String {
    Data(name.id.utf8).base64EncodedString()
  }

  private static func path(
    after token: String?,
    in collection: ResourcePath
  ) throws(StatusError) -> ResourcePath? {
    guard let token, !token.isEmpty else { return nil }
    guard let data = Data(base64Encoded: token), data.isValidUTF8,
      let path = try? collection.appending(String(decoding: data, as: UTF8.self))
    else { throw StatusError(.invalidArgument, "invalid page token") }
    return path
  }
}
