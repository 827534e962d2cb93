package import Core
package import FirestoreModel

extension Store {
  /// Writes whole documents over whatever has their names, with the times they come with.
  ///
  /// New documents keep the times they come with, as far as those aren't in the future; all others
  /// get those that a write would give them, for clients take an older document than the one they
  /// know for old news. Where nothing is different nothing changes. Of several documents of one
  /// name the last counts. What bounds a client's commit doesn't bound an import; who calls this
  /// keeps the number of documents small.
  ///
  /// - Parameter documents: all of the database, their values as they may be stored.
  /// - Throws: `INVALID_ARGUMENT` for a document no client could write; `ABORTED` if a transaction
  ///   stands in the way for too long.
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

  /// - Throws: `INVALID_ARGUMENT` for a document that `attemptImport` would refuse.
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
        // What was deleted a while ago is still known, to us and to others.
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
  /// The document with its values and times as Firestore keeps them.
  fileprivate var asStored: Document {
    guard case .update(var document) = Write(.update(self)).asStored.operation else { return self }
    document.createTime = createTime.map { Timestamp(microseconds: $0.microseconds) }
    document.updateTime = updateTime.map { Timestamp(microseconds: $0.microseconds) }
    return document
  }
}
