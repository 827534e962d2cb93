import FirestoreModel

/// A target with all its listeners. The effect of a commit is computed once for all of them.
final class Watch {
  /// The result of a target. Its kind determines how a commit's effects on it are computed.
  enum ResultSet {
    case documents([KeyBytes: DocumentName])
    /// A query without limit and offset. Each document belongs to the result independently of all
    /// others.
    case query(QueryMembership)
    case window(QueryWindow)

    /// The query, or `nil` if the target names documents.
    var query: QueryMembership? {
      switch self {
      case .documents: nil
      case .query(let query): query
      case .window(let window): window.query
      }
    }
  }

  /// A listener, and the listener's number for the target.
  struct Subscriber: Hashable {
    let listener: ObjectIdentifier
    let target: Int32
  }

  let number: Int
  let target: WatchTarget
  let answer: ResultSet
  var subscribers: [Subscriber: Listener] = [:]

  init(_ target: WatchTarget, number: Int, answer: ResultSet) {
    self.target = target
    self.number = number
    self.answer = answer
  }

  /// Returns the changes that a commit makes to the result.
  ///
  /// - Parameter time: The commit's time, in microseconds.
  func apply(_ changes: [StagedChange], at time: Int64, in database: Database) -> [WatchChange] {
    switch answer {
    case .documents, .query: effects(of: changes)
    case .window(let window): window.apply(changes, at: time, in: database)
    }
  }

  /// Empties the result, because the database was cleared.
  func clear() {
    if case .window(let window) = answer { window.clear() }
  }

  private func effects(of changes: [StagedChange]) -> [WatchChange] {
    switch answer {
    case .documents(let names):
      changes.compactMap { change in
        guard names[change.key] != nil else { return nil }
        return change.after.map(WatchChange.present) ?? .deleted(change.name)
      }
    case .query(let query): query.effects(of: changes)
    case .window: []
    }
  }

  // MARK: The current result

  /// Returns the current result.
  func opening(at time: Timestamp, in database: Database, store: Store) -> WatchOpening.Source {
    switch answer {
    case .documents(let names):
      .changes(
        names.map { key, name in
          database.record(key)?.document.map(WatchChange.present) ?? .deleted(name)
        }[...]
      )
    case .query(let query): .cursor(cursor(query, at: time, in: database, store))
    case .window(let window): .changes(window.documents.map(WatchChange.present)[...])
    }
  }

  /// Returns the changes of the result since an earlier state. All later changes must still be in
  /// the log.
  ///
  /// - Parameter earlier: The time of the earlier state, in microseconds.
  func resumption(since earlier: Int64, in database: Database) -> WatchOpening.Source {
    switch answer {
    case .documents, .query:
      return .changes(effects(of: database.changes(since: earlier, in: self))[...])
    case .window(let window):
      var reading = QueryReading(window.query.prepared, at: earlier, in: database)
      var known: [DocumentName: Document] = [:]
      for document in reading.next(.max) { known[document.name] = document }
      var changes: [WatchChange] = []
      for document in window.documents {
        let before = known.removeValue(forKey: document.name)
        if before != document { changes.append(.present(document)) }
      }
      for (name, before) in known {
        let change: WatchChange =
          if let now = database.document(name).map(window.query.shown) {
            now == before ? .displaced(name) : .left(now)
          } else {
            .deleted(name)
          }
        changes.append(change)
      }
      return .changes(changes[...])
    }
  }

  /// Returns the documents that are newer than an earlier state, and the names of all documents in
  /// the result.
  ///
  /// The method is for a client whose state was dropped from the log. It returns `nil` for a target
  /// that names documents, because sending all of them takes no more bytes.
  ///
  /// - Parameter earlier: The time of the earlier state, in microseconds.
  func resumeWithFilter(
    since earlier: Int64,
    at time: Timestamp,
    in database: Database,
    store: Store
  ) -> WatchOpening.Source? {
    guard let query = answer.query else { return nil }
    return .newer(than: earlier, cursor(query, at: time, in: database, store))
  }

  private func cursor(
    _ query: QueryMembership,
    at time: Timestamp,
    in database: Database,
    _ store: Store
  ) -> QueryCursor {
    QueryCursor(
      QueryReading(query.prepared, at: time.microseconds, in: database),
      at: time,
      transaction: nil,
      in: store
    )
  }
}

extension QueryMembership {
  /// Returns the effects of changes on the query's result. The query must have no limit or offset.
  fileprivate func effects(of changes: [StagedChange]) -> [WatchChange] {
    changes.compactMap { change in
      if let row = row(of: change.after, change.key) { return .present(shown(row.document)) }
      guard row(of: change.before, change.key) != nil else { return nil }
      return change.after.map { .left(shown($0)) } ?? .deleted(change.name)
    }
  }
}

extension Database {
  /// Returns the net changes since a time, for the documents that may affect a watch. All changes
  /// since then must still be in the log.
  fileprivate func changes(since time: Int64, in watch: Watch) -> [StagedChange] {
    let records: any Sequence<DocumentRecord>
    switch watch.answer {
    case .documents(let names): records = names.keys.lazy.compactMap { self.record($0) }
    case .query(let query):
      let target = query.prepared.target
      records = log.entries(after: time).lazy.map(\.record).filter { target.contains($0) }
    case .window: return []
    }
    var seen: Set<ObjectIdentifier> = []
    var changes: [StagedChange] = []
    for record in records {
      guard let last = record.past.last, last.until > time,
        seen.insert(ObjectIdentifier(record)).inserted
      else { continue }
      let (before, after) = (record.document(at: time), record.document)
      guard before != nil || after != nil else { continue }
      changes.append(
        StagedChange(
          name: record.name,
          key: record.key,
          record: record,
          before: before,
          after: after
        )
      )
    }
    return changes
  }
}
