import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// What was derived from a text goes when the text goes.
extension MessageAnalysis {
  /// How many analyses are removed at once: more readers' languages than there are.
  private static let maximumCount = 500
  /// How often they are read again because somebody wrote one meanwhile.
  private static let maximumConflicts = 5

  /// What the result of an event says if it removed analyses and made none.
  private struct Removal: Encodable {
    var removed: Int
    /// Why there is no new one.
    var reason: String
  }

  /// Removes what was said about former texts of a message that was edited or deleted, and analyses
  /// the one it has now.
  func refresh(_ name: DocumentName) async throws -> FunctionOutcome {
    let removed = try await removeFormer(name)
    let outcome = try await analyze(name)
    guard removed > 0, case .skipped(let reason, nil) = outcome else { return outcome }
    return .done(Removal(removed: removed, reason: reason))
  }

  /// - Returns: how many there were.
  private func removeFormer(_ name: DocumentName) async throws(StatusError) -> Int {
    for attempt in 0..<Self.maximumConflicts {
      let message = try await session.firestore.document(name).map(Message.init)
      let found = try await session.firestore.run(
        AnalysisRecord.query(name, limit: Self.maximumCount)
      )
      let former = AnalysisRecord.former(found, of: name, now: message)
      var writes = former.map { document in
        Write(
          .delete(document.name),
          currentDocument: document.updateTime.map(Precondition.updateTime)
        )
      }
      if message == nil { writes.append(Write(.delete(try AnalysisRecord.ledger(name)))) }
      guard !writes.isEmpty else { return 0 }
      do throws(StatusError) {
        try await session.firestore.commit(writes)
        return former.count
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the analyses kept changing")
  }
}
