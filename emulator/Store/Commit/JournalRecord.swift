package import Core

/// Bytes that a journal keeps under a name, beside the documents.
package struct JournalRecord: Sendable, Hashable {
  package let key: String
  /// nil: what was kept under the name is to go.
  package let content: Data?

  package init(key: String, content: Data?) {
    self.key = key
    self.content = content
  }
}

extension Store {
  /// Keeps records with the next group of commits. Nobody waits for it: at worst an earlier state
  /// of them is what the journal has. Without a journal nothing is kept.
  ///
  /// - Parameter records: called on the writer's thread, under no lock.
  package func keepSoon(_ records: @escaping @Sendable () -> [JournalRecord]) {
    writer?.keepSoon(in: self, records)
  }

  /// Returns when the journal has the records; at once if there is no journal.
  ///
  /// - Throws: what the journal does.
  package func keep(_ records: [JournalRecord]) async throws(StatusError) {
    guard let writer else { return }
    let promise = Promise<Void>()
    writer.submit(to: self) { state in
      state.group?.records += records
      state.answer(promise, .success(()))
    }
    try await promise.value.get()
  }
}
