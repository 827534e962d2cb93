import Core

/// Firestore's Admin API, which manages databases, indexes and backups. The emulator doesn't
/// implement it, and refuses its methods.
enum AdminAPI {
  static let refusal = StatusError(
    .unimplemented,
    "Firestore's Admin API is not built: create a database by writing a document, declare indexes "
      + "in firestore.indexes.json, and export with `emulator export`"
  )

  /// The resources of a database other than its documents, in `v1` and `v1beta1`.
  ///
  /// Source: firebase.google.com/docs/firestore/reference/rest.
  private static let resources: Set<Substring> = [
    "backupSchedules", "changeStreams", "collectionGroups", "indexes", "operations", "userCreds",
  ]

  /// The methods that are called on a database or on the list of databases.
  private static let verbs: Set<Substring> = [
    "bulkDeleteDocuments", "clone", "exportDocuments", "importDocuments", "restore",
  ]

  /// Returns whether a REST path, such as `projects/p/databases`, belongs to the Admin API.
  ///
  /// - Parameter path: The segments of the path after the version. The last one may end with a
  ///   colon and a method.
  static func owns(_ path: [String]) -> Bool {
    guard path.count > 2, path[0] == "projects", let last = path.last else { return false }
    if path[2] == "locations" { return true }
    let verb = last.split(separator: ":").dropFirst().last
    switch path.count {
    case 3, 4:
      return path[2].prefix { $0 != ":" } == "databases" && verb.map(verbs.contains) ?? true
    default: return path[2] == "databases" && resources.contains(path[4].prefix { $0 != ":" })
    }
  }

  /// Returns whether a gRPC method belongs to the Admin API.
  ///
  /// - Parameter method: The method's full name.
  static func owns(_ method: String) -> Bool {
    method.utf8.starts(with: "/google.firestore.admin.".utf8)
  }
}
