package import Core

/// Bytes that a journal keeps under a key, beside the documents.
package struct JournalRecord: Sendable, Hashable {
  package let key: String
  /// The bytes, or `nil` to remove the record.
  package let content: Data?

  package init(key: String, content: Data?) {
    self.key = key
    self.content = content
  }
}

extension Store {
  /// Keeps records with the next group of commits, without waiting.
  ///
  /// After a crash, the journal may have an earlier state of the records. Without a journal,
  /// nothing is kept.
  ///
  /// - Parameter records: A closure called on the writer's thread, under no lock.
  package func keepSoon(_ records: @escaping @Sendable () -> [JournalRecord]) {
    writer?.keepSoon(in: self, records)
  }

  /// Waits until the journal has the records. Returns at once if there is no journal.
  ///
  /// - Throws: The journal's error.
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
