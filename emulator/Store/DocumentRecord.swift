import DequeModule
import FirestoreModel

/// A document with its past versions.
///
/// A deleted document has a record until its last version is dropped.
final class DocumentRecord {
  /// A superseded version of the document.
  ///
  /// This is a class so that unused capacity in `past` takes little memory.
  final class Version {
    /// The document, or `nil` if it didn't exist.
    let document: Document?
    /// The time of the commit that superseded the version, in microseconds. Reads before this time
    /// may see the version.
    let until: Int64

    init(_ document: Document?, until: Int64) {
      self.document = document
      self.until = until
    }
  }

  let name: DocumentName
  let key: KeyBytes
  /// The current document, or `nil` if it doesn't exist.
  var document: Document?
  /// The superseded versions, oldest first.
  var past: Deque<Version> = []

  init(name: DocumentName, key: KeyBytes) {
    self.name = name
    self.key = key
  }

  /// Returns the document as of a time in microseconds.
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
