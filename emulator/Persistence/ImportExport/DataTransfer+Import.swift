package import Core
package import FirestoreModel
import Store

extension DataTransfer {
  private static let batchDocuments = 256
  private static let batchBytes = 2 << 20
  /// A transaction that nobody ends may hold up a commit for four and a half minutes.
  private static let commitAttempts = 150

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

  /// Writes documents over what is there, that come as lines of our own format in any order: a piece
  /// of a file, or all of it. All are looked through first.
  ///
  /// - Parameter firstLine: the number of the first line in the file, for messages.
  /// - Returns: how many documents there were.
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
