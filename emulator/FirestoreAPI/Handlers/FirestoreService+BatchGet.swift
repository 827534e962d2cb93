package import Core
import FirestoreModel
package import FirestoreProtos
import Store
import SwiftProtobuf

extension FirestoreService {
  /// Returns each requested document once, all as of the same read time. Missing documents come
  /// last.
  package func batchGetDocuments(
    _ request: ProtoBatchGetDocumentsRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ResponseStream<ProtoBatchGetDocumentsResponse> {
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
      try store.attemptDocuments(
        names,
        in: reader.database,
        consistency,
        check: rights(context, in: reader.database, consistency)?.get(names)
      )
    }
    let (documents, readTime) = (reading.answer.documents, reading.answer.readTime.proto)
    let found = names.compactMap { documents[$0] }
    let missing = names.filter { documents[$0] == nil }
    return ResponseStream(
      first: reading.begun.map { id in [.with { $0.transaction = id.bytes }] } ?? [],
      next: { position in
        var left = Self.portionBytes
        let portion = found.dropFirst(position).prefix(Self.portion).prefix { document in
          defer { left -= DocumentLimits.size(of: document) }
          return left > 0
        }
        return portion.map { document in
          var response = ProtoBatchGetDocumentsResponse()
          response.found = document.masked(by: mask).proto
          response.readTime = readTime
          return response
        }
      },
      last: { _, _ in
        missing.map { name in
          var response = ProtoBatchGetDocumentsResponse()
          response.missing = name.description
          response.readTime = readTime
          return response
        }
      }
    )
  }
}
