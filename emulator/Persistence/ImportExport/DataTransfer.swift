package import Core
package import FirestoreModel
package import Store

/// An actor that exports and imports a store's documents, and the data of other services.
///
/// It runs on its own thread, because it blocks on files.
package actor DataTransfer {
  static let exportAttempts = 5
  /// Firebase's name of Firestore.
  private static let firestore = "firestore"

  let store: Store
  let workingDirectory: String
  /// The services besides Firestore, in the order in which they are exported and imported.
  let services: [any ExportedService]
  private let thread = TransferThread()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - workingDirectory: The folder to which relative paths refer. An export to this folder or to
  ///     a folder above it is refused.
  ///   - services: The services besides Firestore whose data exports contain.
  package init(
    store: Store,
    workingDirectory: String,
    services: [any ExportedService] = []
  ) {
    self.store = store
    self.workingDirectory = workingDirectory
    self.services = services
  }

  /// Exports databases of a project to a folder, in their state at one time, and the data of the
  /// other services.
  ///
  /// When the new export is complete, it replaces an earlier export in the folder. If anything
  /// fails, the earlier export is kept.
  ///
  /// - Parameters:
  ///   - databases: The IDs of the databases, or `nil` for all that have documents.
  ///   - targets: Firebase's names of the services to export, such as `firestore`, or `nil` for all.
  /// - Throws: The errors of `ExportDestination`; `RESOURCE_EXHAUSTED` if the disk is full;
  ///   `ABORTED` if the data changes faster than it can be read; `INVALID_ARGUMENT` if the format
  ///   supports only one database and there are several.
  package func export(
    _ project: String,
    databases: [String]? = nil,
    targets: Set<String>? = nil,
    to path: String,
    as format: ExportFormat
  ) throws(StatusError) -> TransferSummary {
    let services = services.filter { targets?.contains($0.name) ?? true }
    let known = [Self.firestore] + self.services.map(\.name)
    if let target = targets?.subtracting(known).min() {
      throw StatusError(
        .invalidArgument,
        "\(quoted(target)) can't be exported, but only: \(known.joined(separator: ", "))"
      )
    }
    let destination = try ExportDestination(
      path,
      workingDirectory: workingDirectory,
      services: services.map(\.name)
    )
    var names: [DatabaseName] = []
    if targets?.contains(Self.firestore) ?? true {
      names = try self.databases(databases, of: project, in: format)
    }
    return try Self.repeated { () throws(StatusError) in
      try write(names, and: services, of: project, to: destination, as: format)
    }
  }

  /// Exports one database in Google's format, as Google's emulator does.
  ///
  /// - Parameters:
  ///   - folder: An existing folder.
  ///   - name: The name of the new folder in it.
  package func exportAsGoogle(
    _ database: DatabaseName,
    into folder: String,
    name: String
  ) throws(StatusError) {
    var information = stat()
    guard stat(folder, &information) == 0, information.isFolder else {
      throw StatusError(.failedPrecondition, "export_directory must be a directory")
    }
    guard name.isFileName else {
      throw StatusError(.invalidArgument, "export_name \(quoted(name)) is not the name of a folder")
    }
    let destination = try ExportDestination("\(folder)/\(name)", workingDirectory: workingDirectory)
    _ = try Self.repeated { () throws(StatusError) in
      try destination.replace { folder throws(StatusError) in
        var writer: any ExportWriter = GoogleExport(
          folder: folder,
          name: name,
          isForFirebase: false
        )
        return try fill(&writer, with: [database], of: database.project, services: [])
      }
    }
  }

  /// Runs an export, and repeats it if the data changed faster than it could be read.
  static func repeated<Success>(
    _ export: () throws(StatusError) -> Success
  ) throws(StatusError) -> Success {
    for _ in 1..<exportAttempts {
      do throws(StatusError) {
        return try export()
      } catch {
        guard error.code == .aborted else { throw error }
      }
    }
    return try export()
  }

  private func databases(
    _ ids: [String]?,
    of project: String,
    in format: ExportFormat
  ) throws(StatusError) -> [DatabaseName] {
    var names = store.databases.filter { $0.project == project }
    if let ids { names = try Self.names(Set(ids).sorted(), of: project) }
    switch format {
    case .ndjson: break
    case .google:
      if names.isEmpty { names = [DatabaseName(project: project)] }
      guard names.count == 1 else {
        throw StatusError(
          .invalidArgument,
          "Google's format supports only one database: choose one with --database: "
            + names.map(\.database).joined(separator: ", ")
        )
      }
    }
    return names
  }

  /// Returns the full names of a project's databases.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid database ID.
  static func names(
    _ ids: [String],
    of project: String
  ) throws(StatusError) -> [DatabaseName] {
    var names: [DatabaseName] = []
    for id in ids { names.append(try DatabaseName("projects/\(project)/databases/\(id)")) }
    return names
  }

  private func write(
    _ names: [DatabaseName],
    and services: [any ExportedService],
    of project: String,
    to destination: ExportDestination,
    as format: ExportFormat
  ) throws(StatusError) -> TransferSummary {
    try destination.replace { folder throws(StatusError) in
      var writer: any ExportWriter =
        switch format {
        case .ndjson: LineExport(folder: folder)
        case .google:
          GoogleExport(
            folder: folder,
            name: FirebaseMetadata.firestoreFolder,
            isForFirebase: true
          )
        }
      var contents: [String] = []
      for service in services {
        let part = "\(folder)/\(ServiceEntry.folder(of: service.name))"
        guard mkdir(part, 0o777) == 0 else { throw .file(part, "can't be created") }
        if let content = try service.write(to: part) { contents.append(content) }
      }
      var summary = try fill(
        &writer,
        with: names,
        of: project,
        services: services.map(\.name)
      )
      summary.services = contents
      return summary
    }
  }

  private func fill(
    _ writer: inout any ExportWriter,
    with names: [DatabaseName],
    of project: String,
    services: [String]
  ) throws(StatusError) -> TransferSummary {
    var snapshot = DatabaseSnapshot(of: store)
    var summary = TransferSummary()
    for name in names {
      var count = 0
      try writer.begin(name)
      try snapshot.read(name) { document throws(StatusError) in
        try writer.append(document)
        count += 1
      }
      try writer.end()
      summary.databases.append(.init(database: name.database, documents: count))
    }
    try writer.finish(project: project, at: snapshot.time ?? .now, services: services)
    return summary
  }
}
