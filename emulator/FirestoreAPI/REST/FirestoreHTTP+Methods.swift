import FirestoreModel
import FirestoreProtos
import HTTPService
import JSONCoding
import Platform
import RPCStatus
import Store
import SwiftProtobuf

// Methods named after a colon, with their whole message in the body; what the path says wins.

extension FirestoreHTTP {
  func respond(
    to verb: String,
    of resource: ResourceName,
    _ request: ServiceRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ServiceResponse {
    let (database, parent) = (resource.database.description, resource.description)
    switch verb {
    case "commit":
      var message = try request.message(ProtoCommitRequest.self, mayBeEmpty: false)
      message.database = database
      return .json(try await service.commit(message, context).value().json)
    case "batchWrite":
      var message = try request.message(ProtoBatchWriteRequest.self, mayBeEmpty: false)
      message.database = database
      return .json(try await service.batchWrite(message, context).value().json)
    case "beginTransaction":
      var message = try request.message(ProtoBeginTransactionRequest.self)
      message.database = database
      return .json(try service.beginTransaction(message, context).json)
    case "rollback":
      var message = try request.message(ProtoRollbackRequest.self)
      message.database = database
      return .json(try service.rollback(message, context).json)
    case "batchGet":
      var message = try request.message(ProtoBatchGetDocumentsRequest.self)
      message.database = database
      return try await stream(service.batchGetDocuments(message, context))
    case "runQuery":
      var message = try request.message(ProtoRunQueryRequest.self)
      message.parent = parent
      return try await stream(service.runQuery(message, context))
    case "runAggregationQuery":
      var message = try request.message(ProtoRunAggregationQueryRequest.self)
      message.parent = parent
      return try await stream(service.runAggregationQuery(message, context))
    case "partitionQuery":
      var message = try request.message(ProtoPartitionQueryRequest.self)
      message.parent = parent
      return .json(try service.partitionQuery(message, context).json)
    case "listCollectionIds":
      var message = try request.message(ProtoListCollectionIdsRequest.self)
      message.parent = parent
      return .json(try service.listCollectionIDs(message, context).json)
    case "executePipeline": throw StatusError(.unimplemented, "\(verb) is not built yet")
    case "listen", "write":
      throw StatusError(.unimplemented, "\(verb) is a stream, which REST has no way to carry")
    default: throw StatusError(.notFound, "Firestore has no method \(quoted(verb))")
    }
  }

  /// All messages in one JSON array, sent as they are fetched.
  private func stream<Response: Message & Sendable>(
    _ responses: ResponseStream<Response>
  ) throws(StatusError) -> ServiceResponse {
    let responses = try responses.primed()
    return .stream { writer in
      var separator = "["
      try await responses.forEach { portion throws(StatusError) in
        var body = Data()
        for response in portion {
          body.append(contentsOf: separator.utf8)
          body.append(try response.json)
          separator = ",\n"
        }
        do {
          try await writer.write(body)
        } catch {
          throw StatusError(.cancelled, "the client has gone")
        }
      }
      try await writer.write(Data((separator == "[" ? "[]" : "]").utf8))
    }
  }
}

extension ServiceRequest {
  /// - Parameter mayBeEmpty: false where nothing at all must be a mistake: the client would take
  ///   it that its writes went through.
  fileprivate func message<Request: Message>(
    _ type: Request.Type,
    mayBeEmpty: Bool = true
  ) throws(StatusError) -> Request {
    guard body.isEmpty else { return try Request(body: body) }
    guard mayBeEmpty else { throw StatusError(.invalidArgument, "the request's body is empty") }
    return Request()
  }
}
