import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The removal of analyses when the text that they explain is edited or deleted.
extension MessageAnalysis {
  /// The maximum number of analyses removed in one commit, more than there are languages.
  private static let maximumCount = 500
  /// The maximum number of retries after a conflicting write.
  private static let maximumConflicts = 5

  /// The function's result for an event that removed analyses and made none.
  private struct Removal: Encodable {
    var removed: Int
    /// The reason why there is no new analysis.
    var reason: String
  }

  /// Removes the analyses of a message's former texts, and analyzes its current text if there is
  /// one.
  func refresh(_ name: DocumentName) async throws -> FunctionOutcome {
    let removed = try await removeFormer(name)
    let outcome = try await analyze(name)
    guard removed > 0, case .skipped(let reason, nil) = outcome else { return outcome }
    return .done(Removal(removed: removed, reason: reason))
  }

  /// Removes the analyses of a message's former texts.
  ///
  /// - Returns: The number of analyses removed.
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
    throw StatusError(.aborted, "the analyses kept changing while former ones were removed")
  }
}
