import Core
import FirestoreModel

/// A document before and after a commit's writes.
struct StagedChange {
  let name: DocumentName
  let key: KeyBytes
  /// The document's record, or `nil` if it has none.
  let record: DocumentRecord?
  let before: Document?
  var after: Document?
}

/// A commit's changes before they are applied to the store.
///
/// A staging never changes the store, so a failed commit leaves no trace.
struct Staging {
  /// The commit's time.
  let time: Timestamp
  private let database: Database
  /// The documents that were written or verified, in the order of the first write to each.
  private(set) var touched: [StagedChange] = []
  private var places: [KeyBytes: Int] = [:]
  /// The error of the first precondition that isn't met, or `nil` if all are met.
  private var failure: StatusError?
  private var applied: [(place: Int, transformResults: [Value]?)] = []

  init(at time: Timestamp, in database: Database) {
    self.time = time
    self.database = database
  }

  /// Applies a write, even if its precondition isn't met.
  mutating func apply(_ write: Write) {
    let place = place(of: write.name)
    let stored = touched[place].after
    if failure == nil, let precondition = write.currentDocument {
      // An update-time precondition refers to the stored document, not to the result of earlier
      // writes.
      var versioned = stored
      if case .updateTime = precondition { versioned = touched[place].before }
      do throws(StatusError) {
        try precondition.check(versioned, name: write.name)
      } catch {
        failure = error
      }
    }
    let outcome = write.applied(to: stored, at: time)
    touched[place].after = outcome.document
    applied.append((place, outcome.transformResults))
  }

  /// Returns the applied writes in groups, one group for each document in `touched`.
  ///
  /// - Parameter writes: All writes that were applied, in order.
  func grouped(_ writes: [Write]) -> [[Write]] {
    guard touched.count > 1 else { return touched.isEmpty ? [] : [writes] }
    var groups = [[Write]](repeating: [], count: touched.count)
    for (write, (place, _)) in zip(writes, applied) { groups[place].append(write) }
    return groups
  }

  /// Returns the change of a document, or `nil` if no write is to it.
  func change(of path: ResourcePath) -> StagedChange? {
    places[KeyBytes(path)].map { touched[$0] }
  }

  private mutating func place(of name: DocumentName) -> Int {
    let key = KeyBytes(name.path)
    if let place = places[key] { return place }
    let record = database.record(key)
    let document = record?.document
    touched.append(
      StagedChange(name: name, key: key, record: record, before: document, after: document)
    )
    places[key] = touched.count - 1
    return touched.count - 1
  }

  /// Returns the results in the order of the writes, and the net change of each document.
  ///
  /// A document that ends up unchanged keeps its times, unless the commit deleted it and created it
  /// again.
  ///
  /// - Throws: Production's error for the first precondition that isn't met; `INVALID_ARGUMENT` if
  ///   a document is now larger or deeper than Firestore allows.
  func settle() throws(StatusError) -> (results: [WriteResult], changes: [StagedChange]) {
    if let failure { throw failure }
    var changes: [StagedChange] = []
    var updateTimes: [Timestamp?] = []
    updateTimes.reserveCapacity(touched.count)
    for change in touched {
      let (before, after) = (change.before, change.after)
      if let before, let after, before.createTime == after.createTime,
        before.fields == after.fields
      {
        updateTimes.append(before.updateTime)
        continue
      }
      updateTimes.append(after?.updateTime)
      if before == nil && after == nil { continue }
      if let after { try DocumentLimits.check(after) }
      changes.append(change)
    }
    let results = applied.map {
      WriteResult(updateTime: updateTimes[$0.place], transformResults: $0.transformResults)
    }
    return (results, changes)
  }
}
