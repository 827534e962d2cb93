import DequeModule
import FirestoreModel

/// A document with its past, as long as either is kept.
final class DocumentRecord {
  /// What was there until a commit changed it.
  ///
  /// An object, so that the room a record has for many costs little when they are gone.
  final class Version {
    /// nil: there was no document.
    let document: Document?
    /// The time of that commit, in microseconds: reads before it still see this version.
    let until: Int64

    init(_ document: Document?, until: Int64) {
      self.document = document
      self.until = until
    }
  }

  let name: DocumentName
  let key: KeyBytes
  /// nil: there is no document now.
  var document: Document?
  /// Superseded versions, the oldest first.
  var past: Deque<Version> = []

  init(name: DocumentName, key: KeyBytes) {
    self.name = name
    self.key = key
  }

  /// The document as a read at a time sees it, in microseconds.
  func document(at time: Int64) -> Document? {
    guard let last = past.last, last.until > time else { return document }
    var (low, high) = (0, past.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if past[middle].until > time { high = middle } else { low = middle + 1 }
    }
    return past[low].document
  }
}
