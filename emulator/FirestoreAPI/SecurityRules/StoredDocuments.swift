import Core
import FirestoreModel
import Rules
import Store

/// The documents that rules read for a read: those of the state that is read.
struct StoredDocuments: DocumentReader {
  let state: DatabaseState
  let database: DatabaseName
  /// Gets the documents that are read, or `nil` if nobody needs to know them.
  var record: ReadRecord?

  func document(at path: [String]) -> Fields? {
    database.path(ofSegments: path).flatMap { document($0) }
  }

  /// A read changes nothing, so the documents are the same afterwards.
  func documentAfterwards(at path: [String]) -> Fields? { document(at: path) }

  func document(_ path: ResourcePath) -> Fields? {
    record?.paths.insert(path)
    return state.document(path)?.fields
  }
}

/// The documents that a decision depends on.
final class ReadRecord {
  var paths: Set<ResourcePath> = []
}

/// The documents that rules read for a commit: those before it, and those after it.
struct StagedDocuments: DocumentReader {
  let commit: StagedCommit
  let database: DatabaseName

  func document(at path: [String]) -> Fields? {
    database.path(ofSegments: path).flatMap { commit.before.document($0)?.fields }
  }

  func documentAfterwards(at path: [String]) -> Fields? {
    database.path(ofSegments: path).flatMap { commit.documentAfterwards($0)?.fields }
  }
}

extension DatabaseName {
  /// Returns the path of a document of this database, or `nil` for any other segments.
  ///
  /// - Parameter segments: The segments of a complete path, such as
  ///   `databases/(default)/documents/users/u1`.
  fileprivate func path(ofSegments segments: [String]) -> ResourcePath? {
    guard segments.count > 3, segments[0].hasSameBytes(as: "databases"),
      segments[1].hasSameBytes(as: database), segments[2].hasSameBytes(as: "documents"),
      let path = try? ResourcePath(segments: Array(segments.dropFirst(3))), path.isDocument
    else { return nil }
    return path
  }
}
