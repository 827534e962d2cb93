import Core

/// Firestore's Admin API, which manages databases, indexes and backups. The emulator doesn't have
/// it.
enum AdminAPI {
  static let refusal = StatusError(
    .unimplemented,
    "Firestore's Admin API is not built: a first document creates its database, indexes are "
      + "declared in firestore.indexes.json, and `emulator export` makes exports"
  )

  /// The resources beside a database's documents, in `v1` and `v1beta1`.
  ///
  /// Source: firebase.google.com/docs/firestore/reference/rest.
  private static let resources: Set<Substring> = [
    "backupSchedules", "changeStreams", "collectionGroups", "indexes", "operations", "userCreds",
  ]

  /// The methods of one database, and of all databases.
  private static let verbs: Set<Substring> = [
    "bulkDeleteDocuments", "clone", "exportDocuments", "importDocuments", "restore",
  ]

  /// Returns whether an address belongs to the Admin API, as `projects/p/databases` does.
  ///
  /// - Parameter path: The segments of the address after the version. The last may end with a
  ///   method.
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
