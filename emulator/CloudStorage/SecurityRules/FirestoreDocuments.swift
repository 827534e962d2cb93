import Core
import FirestoreModel
import Rules
import Store

/// The documents of Firestore that the rules of Cloud Storage read.
struct FirestoreDocuments: DocumentReader, Sendable {
  let store: Store
  let project: String

  func document(at path: [String]) -> Fields? {
    guard path.count > 3, path[0].hasSameBytes(as: "databases"),
      path[2].hasSameBytes(as: "documents"),
      let document = try? DocumentName(
        database: DatabaseName(project: project, database: path[1]),
        path: ResourcePath(segments: Array(path.dropFirst(3)))
      )
    else { return nil }
    return store.document(document)?.fields
  }

  /// A request to Cloud Storage doesn't change documents.
  func documentAfterwards(at path: [String]) -> Fields? { document(at: path) }
}
