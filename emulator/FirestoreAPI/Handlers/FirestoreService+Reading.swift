import Core
import FirestoreModel
import Store

/// The result of a read, and the ID of the transaction that was begun for the read.
///
/// The ID is `nil` if the request didn't ask for a new transaction.
struct Reading<Answer: Sendable>: Sendable {
  var answer: Answer
  var begun: TransactionID?
}

extension FirestoreService {
  /// Reads the state that a request selects, and begins a transaction if the request asks for one.
  ///
  /// If the read fails, the new transaction is rolled back, because the client never gets its ID.
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
