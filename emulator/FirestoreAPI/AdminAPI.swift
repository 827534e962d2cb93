import Core

/// Firestore's Admin API, which manages databases, indexes and backups. It isn't built.
enum AdminAPI {
  static let refusal = StatusError(
    .unimplemented,
    "Firestore's Admin API is not built: databases come into being with their first document, indexes "
      + "are those of firestore.indexes.json, exports are made by `emulator export`"
  )

  /// What lies beside a database's documents, in `v1` and `v1beta1`.
  ///
  /// Source: firebase.google.com/docs/firestore/reference/rest.
  private static let resources: Set<Substring> = [
    "backupSchedules", "changeStreams", "collectionGroups", "indexes", "operations", "userCreds",
  ]

  /// What can be done with a database, and with all of them.
  private static let verbs: Set<Substring> = [
    "bulkDeleteDocuments", "clone", "exportDocuments", "importDocuments", "restore",
  ]

  /// Tells the Admin API's addresses from those of documents.
  ///
  /// - Parameter path: the segments of an address behind the version; the last may have a verb.
  /// - Returns: whether it is one of the Admin API's, as `projects/p/databases` is.
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

  /// Tells the Admin API's methods from Firestore's.
  ///
  /// - Parameter method: a gRPC method's full name.
  static func owns(_ method: String) -> Bool {
    method.utf8.starts(with: "/google.firestore.admin.".utf8)
  }
}
