import Core
import FirestoreModel
import FirestoreProtos
import HTTPService
import Store
import SwiftProtobuf

// The methods that the URL names after a colon. Their request message is in the body. The database
// or document in the path replaces the one in the message.

extension FirestoreREST {
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
      throw StatusError(.unimplemented, "\(verb) is a stream, which REST can't carry: use gRPC")
    default: throw StatusError(.notFound, "Firestore has no method \(quoted(verb))")
    }
  }

  /// Returns a response with all messages in one JSON array. A long array is sent while its
  /// messages are read.
  private func stream<Response: Message & Sendable>(
    _ responses: ResponseStream<Response>
  ) throws(StatusError) -> ServiceResponse {
    switch try responses.begun() {
    case .whole(let responses):
      var array = JSONArray()
      return .json(try array.append(responses) + array.end)
    case .partial(let responses):
      return .stream { writer in
        var array = JSONArray()
        try await responses.forEach { portion throws(StatusError) in
          let bytes = try array.append(portion)
          do {
            try await writer.write(bytes)
          } catch {
            throw StatusError(.cancelled, "the client has closed the connection")
          }
        }
        try await writer.write(array.end)
      }
    }
  }
}

/// An encoder of a JSON array whose elements become available one after the other.
private struct JSONArray {
  private var separator = "["

  /// Appends elements.
  ///
  /// - Returns: The next bytes of the array.
  mutating func append(_ elements: [some Message]) throws(StatusError) -> Data {
    var bytes = Data()
    for element in elements {
      bytes.append(contentsOf: separator.utf8)
      bytes.append(try element.json)
      separator = ",\n"
    }
    return bytes
  }

  var end: Data { Data((separator == "[" ? "[]" : "]").utf8) }
}

extension ServiceRequest {
  /// Returns the message in the body.
  ///
  /// - Parameter mayBeEmpty: A Boolean value that indicates whether an empty body is allowed. It is
  ///   false for methods that write: a client whose body was lost would believe that its writes
  ///   were committed.
  fileprivate func message<Request: Message>(
    _ type: Request.Type,
    mayBeEmpty: Bool = true
  ) throws(StatusError) -> Request {
    guard body.isEmpty else { return try Request(body: body) }
    guard mayBeEmpty else { throw StatusError(.invalidArgument, "the request's body is empty") }
    return Request()
  }
}
