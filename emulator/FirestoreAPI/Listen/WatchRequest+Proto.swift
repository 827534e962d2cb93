import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf

extension WatchRequest {
  /// Creates a request to listen to a target.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a target that has neither a query nor documents, or that
  ///   belongs to another database.
  init(_ proto: ProtoTarget, in database: DatabaseName) throws(StatusError) {
    let target: WatchTarget
    switch proto.targetType {
    case .query(let query):
      guard case .structuredQuery(let structured) = query.queryType else {
        throw FirestoreService.missingQuery
      }
      let parent = try ResourceName(parent: query.parent)
      guard parent.database == database else {
        throw StatusError(
          .invalidArgument,
          "The query is not in the stream's database \(database)."
        )
      }
      target = .query(try StructuredQuery(structured), parent: parent)
    case .documents(let list):
      guard !list.documents.isEmpty else {
        throw StatusError(
          .invalidArgument,
          "A target of documents must name at least one document."
        )
      }
      let names = NameReader(database)
      var documents: Set<DocumentName> = []
      for name in list.documents { documents.insert(try names.ownDocument(name)) }
      target = .documents(database, documents)
    case nil: throw StatusError(.invalidArgument, "A target must have a query or documents.")
    }
    let resumption: Resumption =
      switch proto.resumeType {
      case .resumeToken(let token): token.isEmpty ? .nothing : .token(ResumeToken(token))
      case .readTime(let time): .readTime(try Timestamp(time))
      case nil: .nothing
      }
    self.init(
      target,
      resumption: resumption,
      expectedCount: proto.hasExpectedCount ? Int(proto.expectedCount.value) : nil,
      isOnce: proto.once
    )
  }
}
