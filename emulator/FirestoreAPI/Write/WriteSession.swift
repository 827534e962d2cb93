package import Core
import FirestoreModel
package import FirestoreProtos
import Store
import SwiftProtobuf

/// A Write stream, independent of its transport. Each request after the first is a commit, and gets
/// a response.
///
/// If a commit fails, the stream ends with the commit's error. Earlier commits aren't undone. A
/// stream can't be resumed from its tokens. That isn't necessary, because each response is sent
/// before the next request is read.
package struct WriteSession: Sendable {
  private let service: FirestoreService
  private let context: RequestContext
  /// The database, or `nil` before the first request.
  private var database: DatabaseName?
  private var answers: UInt64 = 0

  package init(_ service: FirestoreService, _ context: RequestContext) {
    self.service = service
    self.context = context
  }

  package mutating func respond(
    to request: ProtoWriteRequest
  ) async throws(StatusError) -> ProtoWriteResponse {
    guard let database else { return try begin(request) }
    guard request.database.isEmpty || request.database.hasSameBytes(as: database.description) else {
      throw StatusError(
        .invalidArgument,
        "All requests of a write stream must name the same database."
      )
    }
    guard request.streamID.isEmpty else { throw Self.resuming }
    guard !request.streamToken.isEmpty else {
      throw StatusError(.invalidArgument, "A write request must have the stream's token.")
    }
    var commit = ProtoCommitRequest()
    commit.database = database.description
    commit.writes = request.writes
    let committed = try await service.commit(commit, context).value()
    var response = ProtoWriteResponse()
    response.streamToken = nextToken()
    response.writeResults = committed.writeResults
    response.commitTime = committed.commitTime
    return response
  }

  private mutating func begin(
    _ request: ProtoWriteRequest
  ) throws(StatusError) -> ProtoWriteResponse {
    guard request.streamID.isEmpty else { throw Self.resuming }
    guard request.writes.isEmpty else {
      throw StatusError(
        .invalidArgument,
        "'writes' must not be set on an initial write request."
      )
    }
    database = try DatabaseName(request.database)
    var response = ProtoWriteResponse()
    response.streamID = service.newID()
    response.streamToken = nextToken()
    return response
  }

  private mutating func nextToken() -> Data {
    answers += 1
    return withUnsafeBytes(of: answers.bigEndian) { Data($0) }
  }

  private static var resuming: StatusError {
    StatusError(
      .invalidArgument,
      "Resuming streams is not supported, do not set stream ID."
    )
  }
}
