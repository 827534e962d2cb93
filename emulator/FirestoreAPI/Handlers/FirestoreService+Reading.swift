import Core
import FirestoreModel
import Store

/// The result of a read, and the transaction that was begun for it if the request asked for one.
struct Reading<Answer: Sendable>: Sendable {
  var answer: Answer
  var begun: TransactionID?
}

extension FirestoreService {
  /// Reads the state that a request's selector names.
  ///
  /// If the read fails, a transaction begun for it ends at once, because the client never gets its
  /// ID.
  func read<Answer: Sendable>(
    _ selector: ConsistencySelector,
    in database: DatabaseName,
    _ body: (ReadConsistency) throws(StatusError) -> MaybePending<Answer>
  ) async throws(StatusError) -> Reading<Answer> {
    switch selector {
    case .read(let consistency):
      return Reading(answer: try await body(consistency).value(), begun: nil)
    case .newTransaction(let options):
      let transaction = try store.begin(options, in: database)
      do throws(StatusError) {
        let answer = try await body(.transaction(transaction)).value()
        return Reading(answer: answer, begun: transaction)
      } catch {
        try? store.rollback(transaction, in: database)
        throw error
      }
    }
  }
}
