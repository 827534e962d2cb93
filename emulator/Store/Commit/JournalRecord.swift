package import Core

/// Bytes that the journal stores under a key for a component other than the store.
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
  /// Writes records to the journal with the next group of commits, and returns without waiting for
  /// it.
  ///
  /// A crash before the group is written loses the records. If there is no journal, the call has no
  /// effect.
  ///
  /// - Parameter records: A closure that returns the records. It is called on the writer's thread,
  ///   and no lock is held during the call.
  package func keepSoon(_ records: @escaping @Sendable () -> [JournalRecord]) {
    writer?.keepSoon(in: self, records)
  }

  /// Writes records to the journal, and waits until they are written. Returns at once if there is
  /// no journal.
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
