package import Core
import FirestoreModel
package import FirestoreProtos
import Store
package import SwiftProtobuf

// The methods for whole collections and databases.

extension FirestoreService {
  package func listCollectionIDs(
    _ request: ProtoListCollectionIdsRequest,
    _ context: RequestContext
  ) throws(StatusError) -> ProtoListCollectionIdsResponse {
    let parent = try ResourceName(parent: request.parent)
    try requireAdministrator(context, in: parent.database, for: "Metadata operations")
    let page = try store.collectionIDs(
      below: parent,
      pageSize: Int(request.pageSize),
      pageToken: request.pageToken.isEmpty ? nil : request.pageToken,
      ReadConsistency(request.consistencySelector)
    )
    var response = ProtoListCollectionIdsResponse()
    response.collectionIds = page.ids
    response.nextPageToken = page.nextPageToken ?? ""
    return response
  }

  /// Returns cursors that split a collection group into parts, so that several clients can each
  /// read a part.
  package func partitionQuery(
    _ request: ProtoPartitionQueryRequest,
    _ context: RequestContext
  ) throws(StatusError) -> ProtoPartitionQueryResponse {
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredQuery(let proto) = request.queryType else { throw Self.missingQuery }
    let query = try StructuredQuery(proto)
    guard request.pageSize >= 0 else {
      throw StatusError(.invalidArgument, "Page size must be nonnegative.")
    }
    try requireAdministrator(context, in: parent.database, for: "Partition queries")
    let start = try Self.partitionStart(request.pageToken, in: parent.database)
    var names = try store.partition(
      query,
      parent: parent,
      count: request.partitionCount,
      ReadConsistency(request.consistencySelector)
    )
    if let start { names.removeAll { $0.path <= start.path } }
    let page = request.pageSize == 0 ? names[...] : names.prefix(Int(request.pageSize))
    var response = ProtoPartitionQueryResponse()
    response.partitions = page.map { name in
      .with {
        $0.values = [Value.reference(name.description).proto]
        $0.before = true
      }
    }
    if page.count < names.count, let last = page.last {
      response.nextPageToken = Data(last.description.utf8).base64EncodedString()
    }
    return response
  }

  /// Returns the document name in a page token.
  ///
  /// The token is the name in the previous page's last cursor, encoded in base64.
  private static func partitionStart(
    _ token: String,
    in database: DatabaseName
  ) throws(StatusError) -> DocumentName? {
    guard !token.isEmpty else { return nil }
    guard let data = Data(base64Encoded: token), data.isValidUTF8,
      let name = try? DocumentName(String(decoding: data, as: UTF8.self)),
      name.database == database
    else { throw StatusError(.invalidArgument, "invalid page token") }
    return name
  }

  /// Deletes all documents of a database. Only emulators have this method.
  package func clearData(
    _ request: ProtoClearDataRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<Google_Protobuf_Empty> {
    try store.attemptClear(try DatabaseName(request.database)).map { Google_Protobuf_Empty() }
  }
}
