package import Core
package import FirestoreModel
import Store

extension DataTransfer {
  private static let batchDocuments = 256
  private static let batchBytes = 2 << 20
  /// The maximum number of attempts to commit a batch. Each attempt waits up to two seconds for
  /// locks, and a transaction that its client has abandoned may keep locks for 4.5 minutes.
  private static let commitAttempts = 150

  /// Imports the documents of an export, and the data of other services. Documents that aren't in
  /// the export are kept.
  ///
  /// The whole export is checked first, so that nothing is imported from an incomplete export. Then
  /// the other services import their data, and the documents are committed in batches of a few
  /// hundred.
  ///
  /// - Parameters:
  ///   - path: The path of an export in either format: its folder, or the metadata file in the
  ///     folder.
  ///   - project: The project to import into. References in the documents aren't changed to this
  ///     project.
  ///   - database: The ID of the database to import into, or `nil` to import each document into the
  ///     database from which it was exported.
  ///   - firesTriggers: A Boolean value that indicates whether the imported documents trigger
  ///     functions, as a client's writes do.
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT`, whose message names the file and the position in
  ///   it.
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
        "\(path) contains \(reader.databases.count) databases: import it without --database \(database)"
      )
    }
    let names = try Self.names(reader.databases.map { database ?? $0 }, of: project)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw StatusError(.invalidArgument, "\(path) contains database \(name.database) twice")
    }
    for (index, name) in names.enumerated() {
      try check(reader.documents(of: index, as: name))
    }
    var imports: [@Sendable () async throws(StatusError) -> String?] = []
    for service in services {
      guard let folder = reader.services[service.name] else { continue }
      imports.append(try service.read(from: folder))
    }
    let known = Set(services.map(\.name))
    var summary = TransferSummary(
      ignored: reader.services.keys.filter { !known.contains($0) }.sorted()
    )
    for perform in imports {
      if let content = try await perform() { summary.services.append(content) }
    }
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

  /// Imports documents from lines in the emulator's own format. The documents may be in any order.
  ///
  /// The lines are a whole file or a part of it. All of them are checked before the first is
  /// imported.
  ///
  /// - Parameter firstLine: The number that the first line has in its file, for error messages.
  /// - Returns: The number of imported documents.
  /// - Throws: `INVALID_ARGUMENT`, whose message begins with the line's number.
  package func importLines(
    _ lines: Data,
    firstLine: Int = 1,
    into name: DatabaseName,
    firesTriggers: Bool
  ) async throws(StatusError) -> Int {
    try check(LinesInMemory(lines, firstLine: firstLine, as: name))
    return try await load(
      LinesInMemory(lines, firstLine: firstLine, as: name),
      into: name,
      cause: CommitCause(firesTriggers: firesTriggers)
    )
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
