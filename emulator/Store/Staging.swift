import FirestoreModel
import RPCStatus

/// A commit in the making: the documents it touches, before and after, and nothing else.
///
/// The store is unchanged until `settle` has returned, so an error on the way leaves no trace.
struct Staging {
  private struct Touched {
    let before: Document?
    var after: Document?
  }

  private let time: Timestamp
  private var touched: [DocumentName: Touched] = [:]
  /// The touched documents in the order of the first write to each.
  private var order: [DocumentName] = []
  private var applied: [(name: DocumentName, transformResults: [Value]?)] = []

  init(at time: Timestamp) { self.time = time }

  /// - Parameter stored: Looks up a document as it was before the commit.
  mutating func apply(
    _ write: Write,
    stored: (DocumentName) -> Document?
  ) throws(StatusError) {
    let name = write.name
    let touch: Touched
    if let known = touched[name] {
      touch = known
    } else {
      let before = stored(name)
      touch = Touched(before: before, after: before)
      order.append(name)
    }
    try write.currentDocument?.check(touch.after, name: name)
    let outcome = write.applied(to: touch.after, at: time)
    touched[name] = Touched(before: touch.before, after: outcome.document)
    applied.append((name, outcome.transformResults))
  }

  /// The results in the order of the writes, and the net change of each document.
  ///
  /// A document that ends up as it was keeps its times and counts as unchanged, unless it was
  /// deleted and created anew in between.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a document is now larger or deeper than Firestore allows.
  func settle() throws(StatusError) -> (results: [WriteResult], changes: [DocumentChange]) {
    var changes: [DocumentChange] = []
    var updateTimes: [DocumentName: Timestamp] = [:]
    for name in order {
      guard let document = touched[name] else { continue }
      let (before, after) = (document.before, document.after)
      if let before, let after, before.createTime == after.createTime,
        before.fields == after.fields
      {
        updateTimes[name] = before.updateTime
        continue
      }
      updateTimes[name] = after?.updateTime
      if before == nil && after == nil { continue }
      if let after { try DocumentLimits.check(after) }
      changes.append(DocumentChange(name: name, before: before, after: after))
    }
    let results = applied.map {
      WriteResult(updateTime: updateTimes[$0.name], transformResults: $0.transformResults)
    }
    return (results, changes)
  }
}
