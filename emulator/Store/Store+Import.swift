package import Core
package import FirestoreModel

extension Store {
  /// Imports documents. Each one replaces the document with the same name, if there is one.
  ///
  /// A new document keeps the times it comes with, unless they are in the future. A replaced or
  /// recently deleted document gets the times of an ordinary write, because clients ignore a
  /// document that is older than the one they know. A document with the same fields as the stored
  /// one changes nothing. If several documents have the same name, the last one is imported. The
  /// limits of a client's commit don't apply, so the caller must keep the number of documents
  /// small.
  ///
  /// - Parameter documents: Documents of the database `database`.
  /// - Throws: `INVALID_ARGUMENT` for a document that Firestore wouldn't store; `ABORTED` if a
  ///   transaction's locks block the import for too long.
  package func attemptImport(
    _ documents: [Document],
    into database: DatabaseName,
    cause: CommitCause
  ) throws(StatusError) -> MaybePending<Commit> {
    let documents = documents.map(\.asStored)
    for document in documents { try DocumentLimits.check(document) }
    return try attemptCommitting(for: nil) { state, _ throws(StatusError) in
      try self.tryImport(documents, into: database, cause, &state)
    }
  }

  /// Checks one document before an import.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a document that `attemptImport` refuses.
  package static func check(_ document: Document) throws(StatusError) {
    try DocumentLimits.check(document.asStored)
  }

  private func tryImport(
    _ documents: [Document],
    into name: DatabaseName,
    _ cause: CommitCause,
    _ state: inout State
  ) throws(StatusError) -> Step<Commit> {
    let now = clock()
    let database = state.database(name)
    let time = state.nextCommitTime(at: now)
    var places: [KeyBytes: Int] = [:]
    var changes: [StagedChange] = []
    for document in documents {
      let key = KeyBytes(document.name.path)
      let record = database.record(key)
      let before = record?.document
      var after = document
      if let before {
        after.createTime = before.createTime
        after.updateTime = before.fields == after.fields ? before.updateTime : time
      } else {
        // A recently deleted document still has a record, and clients may have it in their caches.
        let isNew = record == nil
        after.updateTime = min((isNew ? document.updateTime : nil) ?? time, time)
        after.createTime = min(
          (isNew ? document.createTime : nil) ?? time,
          after.updateTime ?? time
        )
      }
      let change = StagedChange(
        name: document.name,
        key: key,
        record: record,
        before: before,
        after: after
      )
      if let place = places[key] {
        changes[place] = change
      } else {
        places[key] = changes.count
        changes.append(change)
      }
    }
    changes.removeAll { $0.before == $0.after }
    let blockers = try state.blockers(of: changes, in: name, by: nil, at: now)
    guard blockers.isEmpty else { return .blocked(by: blockers, changes: changes) }
    return .done(
      apply(changes, to: database, named: name, at: time, results: [], cause: cause, &state)
    )
  }
}

extension Document {
  /// The document with its values and times in stored form.
  fileprivate var asStored: Document {
    guard case .update(var document) = Write(.update(self)).asStored.operation else { return self }
    document.createTime = createTime.map { Timestamp(microseconds: $0.microseconds) }
    document.updateTime = updateTime.map { Timestamp(microseconds: $0.microseconds) }
    return document
  }
}
