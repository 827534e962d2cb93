package import Core
package import FirestoreModel
import Store

extension DataTransfer {
  private static let batchDocuments = 256
  private static let batchBytes = 2 << 20
  /// The maximum number of attempts. An abandoned transaction may block a commit for 4.5 minutes.
  private static let commitAttempts = 150

  /// Imports the documents of an export. Documents that aren't in the export stay.
  ///
  /// The whole export is checked first, so that nothing is imported from an incomplete one. Then a
  /// few hundred documents are committed at a time.
  ///
  /// - Parameters:
  ///   - path: A folder of either format, or its metadata file.
  ///   - project: The project that the documents go to. References in them stay unchanged.
  ///   - database: The database that the documents go to, or `nil` for the one each comes from.
  ///   - firesTriggers: A Boolean value that indicates whether functions see the documents as a
  ///     client's writes.
  /// - Throws: `NOT_FOUND` or `INVALID_ARGUMENT` with one sentence that names the file and the
  ///   position.
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
        "\(path) holds \(reader.databases.count) databases: import it without --database \(database)"
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

  /// Imports documents from lines of the emulator's own format, in any order.
  ///
  /// The lines are a piece of a file, or all of it. All of them are checked first.
  ///
  /// - Parameter firstLine: The number of the first line in the file, for messages.
  /// - Returns: The number of documents.
  /// - Throws: `INVALID_ARGUMENT` with one sentence that begins with the line.
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
