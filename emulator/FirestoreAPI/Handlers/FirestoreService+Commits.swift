package import Core
import FirestoreModel
package import FirestoreProtos
import Store
package import SwiftProtobuf

// The methods that commit several writes, and those that begin and end transactions.

extension FirestoreService {
  package func beginTransaction(
    _ request: ProtoBeginTransactionRequest,
    _ context: RequestContext
  ) throws(StatusError) -> ProtoBeginTransactionResponse {
    let database = try DatabaseName(request.database)
    let options = try TransactionOptions(request.options)
    // Rules that don't compile let no request pass.
    _ = try rights(context, in: database)?.areLimited
    var response = ProtoBeginTransactionResponse()
    response.transaction = try store.begin(options, in: database).bytes
    return response
  }

  package func commit(
    _ request: ProtoCommitRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoCommitResponse> {
    let names = NameReader(try DatabaseName(request.database))
    let writes = try request.writes.map { write throws(StatusError) in
      try Write(write, names: names)
    }
    return try store.attemptCommit(
      writes,
      in: names.database,
      transaction: TransactionID(nonEmpty: request.transaction),
      cause: context.cause,
      check: rights(context, in: names.database)?.commit()
    ).map { commit in
      var response = ProtoCommitResponse()
      response.writeResults = commit.results.map(\.proto)
      response.commitTime = commit.time.proto
      return response
    }
  }

  package func rollback(
    _ request: ProtoRollbackRequest,
    _ context: RequestContext
  ) throws(StatusError) -> Google_Protobuf_Empty {
    let database = try DatabaseName(request.database)
    guard let transaction = TransactionID(nonEmpty: request.transaction) else {
      throw StatusError(.invalidArgument, "Invalid transaction.")
    }
    try store.rollback(transaction, in: database)
    return Google_Protobuf_Empty()
  }

  /// Commits each write separately. A write that fails or has to wait doesn't affect the others.
  package func batchWrite(
    _ request: ProtoBatchWriteRequest,
    _ context: RequestContext
  ) throws(StatusError) -> MaybePending<ProtoBatchWriteResponse> {
    try store.limits.check(writeCount: request.writes.count)
    let names = NameReader(try DatabaseName(request.database))
    var writes: [Write] = []
    var seen: Set<DocumentName> = []
    for write in request.writes {
      let write = try Write(write, names: names)
      guard seen.insert(write.name).inserted else {
        throw StatusError(
          .invalidArgument,
          "the same document cannot be written more than once in a single request"
        )
      }
      writes.append(write)
    }
    try requireAdministrator(context, in: names.database, for: "Batch writes")
    // Start all writes before waiting for any of them, so that the journal writes them in one
    // group.
    let attempts = writes.map { attempt($0, in: names.database, context) }
    var outcomes: [WriteOutcome] = []
    for case .done(let outcome) in attempts { outcomes.append(outcome) }
    if outcomes.count == attempts.count { return .done(ProtoBatchWriteResponse(outcomes)) }
    return .blocked { () async throws(StatusError) in
      var outcomes: [WriteOutcome] = []
      for attempt in attempts { outcomes.append(try await attempt.value()) }
      return ProtoBatchWriteResponse(outcomes)
    }
  }

  private func attempt(
    _ write: Write,
    in database: DatabaseName,
    _ context: RequestContext
  ) -> MaybePending<WriteOutcome> {
    do throws(StatusError) {
      switch try store.attemptCommit([write], in: database, cause: context.cause) {
      case .done(let commit): return .done(.success(commit.results[0]))
      case .blocked(let wait):
        return .blocked {
          do throws(StatusError) {
            return .success(try await wait().results[0])
          } catch {
            return .failure(error)
          }
        }
      }
    } catch {
      return .done(.failure(error))
    }
  }
}

private typealias WriteOutcome = Result<WriteResult, StatusError>

extension ProtoBatchWriteResponse {
  fileprivate init(_ outcomes: [WriteOutcome]) {
    self.init()
    for outcome in outcomes {
      switch outcome {
      case .success(let result):
        writeResults.append(result.proto)
        status.append(ProtoStatus())
      case .failure(let error):
        writeResults.append(ProtoWriteResult())
        status.append(ProtoStatus(error))
      }
    }
  }
}
