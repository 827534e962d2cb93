import FirestoreModel
package import FirestoreProtos
import Platform
package import RPCStatus
import Store
import SwiftProtobuf

extension FirestoreService {
  /// Each distinct document once, those that exist first, all as of one time.
  package func batchGetDocuments(
    _ request: ProtoBatchGetDocumentsRequest,
    _ context: RequestContext,
    _ sender: ResponseSender<ProtoBatchGetDocumentsResponse>
  ) async throws(StatusError) {
    let reader = NameReader(try DatabaseName(request.database))
    var names: [DocumentName] = []
    var seen: Set<DocumentName> = []
    for name in request.documents {
      let name = try reader.ownDocument(name)
      if seen.insert(name).inserted { names.append(name) }
    }
    let mask = request.hasMask ? try FieldMask(request.mask) : nil
    let reading = try await read(
      ConsistencySelector(request.consistencySelector),
      in: reader.database
    ) { consistency throws(StatusError) in
      try store.attemptDocuments(names, in: reader.database, consistency)
    }
    if let begun = reading.begun { try await sender.send([.with { $0.transaction = begun.bytes }]) }

    let (documents, readTime) = (reading.answer.documents, reading.answer.readTime.proto)
    var found: [ProtoBatchGetDocumentsResponse] = []
    var missing: [ProtoBatchGetDocumentsResponse] = []
    for name in names {
      var response = ProtoBatchGetDocumentsResponse()
      response.readTime = readTime
      if let document = documents[name] {
        response.found = document.masked(by: mask).proto
        found.append(response)
      } else {
        response.missing = name.description
        missing.append(response)
      }
    }
    try await sender.send(found + missing)
  }
}
