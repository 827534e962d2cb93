package import FirestoreModel
import JSONCoding
import Platform
package import RPCStatus
package import Store

/// Exports and imports, one piece of work at a time, on a thread of its own.
package actor DataTransfer {
  private static let batchDocuments = 256
  private static let batchBytes = 2 << 20
  static let exportAttempts = 5
  /// A transaction that nobody ends may hold up a commit for four and a half minutes.
  private static let commitAttempts = 150

  private let store: Store
  private let workingDirectory: String
  private let thread = TransferThread()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// - Parameter workingDirectory: what relative paths are seen from, and no export replaces.
  package init(store: Store, workingDirectory: String) {
    self.store = store
    self.workingDirectory = workingDirectory
  }

  // MARK: Export

  /// Writes databases of a project to a folder as they are at one instant. What was there of an
  /// earlier export is replaced when all is written, and left alone if anything fails.
  ///
  /// - Parameter databases: their ids; nil for all that have documents.
  /// - Throws: what `ExportDestination` refuses; `RESOURCE_EXHAUSTED` if the disk is full;
  ///   `ABORTED` if the data changes faster than it can be read; `INVALID_ARGUMENT` if the format
  ///   holds fewer databases than there are.
  package func export(
    _ project: String,
    databases: [String]? = nil,
    to path: String,
    as format: ExportFormat
  ) throws(StatusError) -> TransferSummary {
    let destination = try ExportDestination(path, workingDirectory: workingDirectory)
    let names = try self.databases(databases, of: project, in: format)
    return try Self.repeated { () throws(StatusError) in
      try write(names, of: project, to: destination, as: format)
    }
  }

  /// Writes one database in Google's format to a folder of a name in a folder that is there, as
  /// Google's emulator does.
  package func exportAsGoogle(
    _ database: DatabaseName,
    into folder: String,
    name: String
  ) throws(StatusError) {
    var information = stat()
    guard stat(folder, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
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
        return try fill(&writer, with: [database], of: database.project)
      }
    }
  }

  /// Tries again if the data has changed faster than it could be read.
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
          "Google's format holds one database; choose one with --database: "
            + names.map(\.database).joined(separator: ", ")
        )
      }
    }
    return names
  }

  /// - Throws: `INVALID_ARGUMENT` for an id that no database can have.
  private static func names(
    _ ids: [String],
    of project: String
  ) throws(StatusError) -> [DatabaseName] {
    var names: [DatabaseName] = []
    for id in ids { names.append(try DatabaseName("projects/\(project)/databases/\(id)")) }
    return names
  }

  private func write(
    _ names: [DatabaseName],
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
      return try fill(&writer, with: names, of: project)
    }
  }

  private func fill(
    _ writer: inout any ExportWriter,
    with names: [DatabaseName],
    of project: String
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
    try writer.finish(project: project, at: snapshot.time ?? .now)
    return summary
  }

  // MARK: Import

  /// Writes the documents of an export over what is there. Documents it doesn't have stay.
  ///
  /// All of it is looked through first, so that nothing is imported of an export that isn't whole.
  /// Then it is committed a few hundred documents at a time.
  ///
  /// - Parameters:
  ///   - path: a folder of either format, or the file that describes it.
  ///   - project: whose the documents become. References in them stay as they are.
  ///   - database: the database they go to; nil for the one each is from.
  ///   - firesTriggers: whether functions see the documents as if a client had written them.
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT` with one sentence that names file and place.
  package func importData(
    from path: String,
    into project: String,
    database: String? = nil,
    firesTriggers: Bool
  ) async throws(StatusError) -> TransferSummary {
    let reader = try ExportFormat.open(path, workingDirectory: workingDirectory)
    if let database, reader.databases.count > 1 {
      throw StatusError(
        .invalidArgument,
        "\(path) holds \(reader.databases.count) databases, and --database \(database) is one"
      )
    }
    let names = try Self.names(reader.databases.map { database ?? $0 }, of: project)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw StatusError(.invalidArgument, "\(path) holds database \(name.database) twice")
    }
    for (index, name) in names.enumerated() {
      try check(reader.documents(of: index, as: name))
    }
    var summary = TransferSummary(ignored: reader.otherServices)
    for (index, name) in names.enumerated() {
      let count = try await load(
        reader.documents(of: index, as: name),
        into: name,
        cause: CommitCause(firesTriggers: firesTriggers)
      )
      summary.databases.append(.init(database: name.database, documents: count))
    }
    return summary
  }

  private func check(_ documents: any DocumentReader) throws(StatusError) {
    while let read = try documents.next() {
      try Self.checkCancellation()
      do throws(StatusError) {
        try Store.check(read.document)
      } catch {
        throw StatusError(.invalidArgument, "\(read.place) is refused: \(error.message)")
      }
    }
  }

  private func load(
    _ documents: any DocumentReader,
    into name: DatabaseName,
    cause: CommitCause
  ) async throws(StatusError) -> Int {
    var batch: [Document] = []
    var (bytes, count) = (0, 0)
    while let read = try documents.next() {
      batch.append(read.document)
      bytes += read.bytes
      count += 1
      if batch.count >= Self.batchDocuments || bytes >= Self.batchBytes {
        try await commit(batch, to: name, cause: cause)
        batch.removeAll(keepingCapacity: true)
        bytes = 0
      }
    }
    if !batch.isEmpty { try await commit(batch, to: name, cause: cause) }
    return count
  }

  private static func checkCancellation() throws(StatusError) {
    if Task.isCancelled { throw StatusError(.cancelled, "the import was cancelled") }
  }

  private func commit(
    _ documents: [Document],
    to name: DatabaseName,
    cause: CommitCause
  ) async throws(StatusError) {
    try Self.checkCancellation()
    for _ in 1..<Self.commitAttempts {
      do throws(StatusError) {
        _ = try await store.attemptImport(documents, into: name, cause: cause).value()
        return
      } catch {
        guard error.code == .aborted else { throw error }
      }
    }
    _ = try await store.attemptImport(documents, into: name, cause: cause).value()
  }
}
