package import Core
import FirestoreModel
package import FirestoreProtos
import Store
package import SwiftProtobuf

// The methods for single documents, and the method that lists a collection's documents in pages.

extension FirestoreService {
  package func getDocument(
    _ request: ProtoGetDocumentRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoDocument> {
    let name = try DocumentName(request.name)
    let mask = request.hasMask ? try FieldMask(request.mask) : nil
    return try read(name, ReadConsistency(request.consistencySelector), context).map {
      document throws(StatusError) in
      guard let document else {
        throw StatusError(.notFound, "Document \(quoted(name.description)) not found.")
      }
      return document.masked(by: mask).proto
    }
  }

  package func listDocuments(
    _ request: ProtoListDocumentsRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoListDocumentsResponse> {
    let parent = try ResourceName(parent: request.parent)
    let collection =
      request.collectionID.isEmpty ? parent : try parent.collection(request.collectionID)
    let order = try [StructuredQuery.Order](parsing: request.orderBy)
    let mask = request.hasMask ? try FieldMask(request.mask) : nil
    let consistency = try ReadConsistency(request.consistencySelector)
    if request.showMissing {
      try requireAdministrator(context, in: parent.database, for: "Metadata operations")
    }
    return try store.attemptList(
      collection: collection,
      pageSize: Int(request.pageSize),
      pageToken: request.pageToken.isEmpty ? nil : request.pageToken,
      orderBy: order,
      showMissing: request.showMissing,
      consistency,
      check: rights(context, in: parent.database, consistency)?.list(
        Store.listQuery(collection, pageSize: Int(request.pageSize), orderBy: order),
        below: parent
      )
    ).map { page in
      var response = ProtoListDocumentsResponse()
      response.documents = page.documents.map { $0.masked(by: mask).proto }
      response.nextPageToken = page.nextPageToken ?? ""
      return response
    }
  }

  package func createDocument(
    _ request: ProtoCreateDocumentRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoDocument> {
    guard !request.collectionID.isEmpty else {
      throw StatusError(.invalidArgument, "collectionId is the empty string.")
    }
    guard request.document.name.isEmpty else {
      throw StatusError(.invalidArgument, "document.name must not be set")
    }
    let collection = try ResourceName(parent: request.parent).collection(request.collectionID)
    let id = request.documentID.isEmpty ? newID() : request.documentID
    let name = try DocumentName(
      database: collection.database,
      path: collection.path.appending(id)
    )
    return try write(
      Write(
        .update(Document(name: name, fields: try Fields(request.document.fields))),
        currentDocument: .exists(false)
      ),
      mask: request.hasMask ? try FieldMask(request.mask) : nil,
      context
    )
  }

  package func updateDocument(
    _ request: ProtoUpdateDocumentRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoDocument> {
    let name = try DocumentName(request.document.name)
    return try write(
      Write(
        .update(Document(name: name, fields: try Fields(request.document.fields))),
        updateMask: request.hasUpdateMask ? try FieldMask(request.updateMask) : nil,
        currentDocument: request.hasCurrentDocument
          ? try Precondition(request.currentDocument) : nil
      ),
      mask: request.hasMask ? try FieldMask(request.mask) : nil,
      context
    )
  }

  package func deleteDocument(
    _ request: ProtoDeleteDocumentRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<Google_Protobuf_Empty> {
    let name = try DocumentName(request.name)
    let write = Write(
      .delete(name),
      currentDocument: request.hasCurrentDocument
        ? try Precondition(request.currentDocument) : nil
    )
    return try store.attemptCommit(
      [write],
      in: name.database,
      cause: context.cause,
      check: rights(context, in: name.database)?.commit()
    ).map { _ in Google_Protobuf_Empty() }
  }

  private func write(
    _ write: Write,
    mask: FieldMask?,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoDocument> {
    let name = write.name
    let rights = try rights(context, in: name.database)
    return try store.attemptCommit(
      [write],
      in: name.database,
      cause: context.cause,
      check: rights?.commit()
    ).flatMap { commit throws(StatusError) in
      if let written = commit.changes.first?.after {
        return .done(written.masked(by: mask).proto)
      }
      // If the write changed nothing, the commit's changes don't include the document, so read it.
      let document = store.document(name)
      // The caller may not be allowed to read what another write has stored since.
      guard let document,
        try rights?.areLimited != true || document.updateTime == commit.results[0].updateTime
      else {
        throw StatusError(.aborted, "the document was changed by another write: try again")
      }
      return .done(document.masked(by: mask).proto)
    }
  }

  private func read(
    _ name: DocumentName,
    _ consistency: ReadConsistency,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<Document?> {
    let check = try rights(context, in: name.database, consistency)?.get([name])
    // The response doesn't contain a read time, so reading the latest state needs no snapshot.
    if consistency == .latest {
      return .done(
        try check.map { check throws(StatusError) in
          try store.document(name, check: check)
        } ?? store.document(name)
      )
    }
    return try store.attemptDocuments([name], in: name.database, consistency, check: check)
      .map { $0.documents[name] }
  }
}

extension ResourceName {
  /// Creates the name of the root or of a document. The document need not exist.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a collection's name, or for text that isn't a name.
  init(parent: String) throws(StatusError) {
    do throws(StatusError) {
      try self.init(parent)
    } catch {
      throw NameGrammar.fault(in: parent, as: .parent) ?? error
    }
    guard path.segments.count.isMultiple(of: 2) else {
      throw NameGrammar.fault(in: parent, as: .parent)
        ?? StatusError(.invalidArgument, "\(quoted(parent)) is a collection.")
    }
  }

  func collection(_ id: String) throws(StatusError) -> ResourceName {
    ResourceName(database: database, path: try path.appending(id))
  }
}
