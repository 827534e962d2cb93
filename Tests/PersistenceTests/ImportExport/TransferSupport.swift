import Core
import FirestoreModel
import Store
import TestKit

@testable import Persistence

let project = "demo-transfer"
let defaultDatabase = DatabaseName(project: project)

func documentName(_ path: String, in database: DatabaseName = defaultDatabase) throws
  -> DocumentName
{
  try DocumentName(database: database, path: ResourcePath(path))
}

/// A store with its import and export.
struct Side {
  let store: Store
  let transfer: DataTransfer

  init(_ store: Store = Store(), workingDirectory: String = "/nowhere") {
    self.store = store
    transfer = DataTransfer(store: store, workingDirectory: workingDirectory)
  }

  /// Writes documents unchanged, including their times.
  func put(_ documents: [Document], in database: DatabaseName = defaultDatabase) async throws {
    _ = try await store.attemptImport(documents, into: database, cause: CommitCause()).value()
  }

  func set(_ path: String, _ fields: Fields) async throws {
    _ = try await store.commit(
      [Write(.update(Document(name: try documentName(path), fields: fields)))],
      in: defaultDatabase
    )
  }

  /// Returns all documents of a database, sorted by name.
  func documents(of database: DatabaseName = defaultDatabase) throws -> [Document] {
    var snapshot = DatabaseSnapshot(of: store)
    var documents: [Document] = []
    try snapshot.read(database) { documents.append($0) }
    return documents
  }

  @discardableResult
  func export(
    to path: String,
    _ format: ExportFormat = .ndjson,
    databases: [String]? = nil
  ) async throws -> TransferSummary {
    try await transfer.export(project, databases: databases, to: path, as: format)
  }

  @discardableResult
  func load(_ path: String, database: String? = nil) async throws -> TransferSummary {
    try await transfer.importData(
      from: path,
      into: project,
      database: database,
      firesTriggers: false
    )
  }

  /// Returns the error of an import that must fail, after a check that nothing was imported.
  func refusal(of path: String, database: String? = nil) async throws -> StatusError? {
    do throws(StatusError) {
      _ = try await transfer.importData(
        from: path,
        into: project,
        database: database,
        firesTriggers: false
      )
      return nil
    } catch {
      return store.databases.isEmpty ? error : StatusError(.internal, "something was imported")
    }
  }
}

/// Returns the relative paths of all regular files below a folder.
func files(below folder: String) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
    var information = stat()
    return stat("\(folder)/\($0)", &information) == 0
      && information.st_mode & S_IFMT == S_IFREG
  }.sorted()
}

func read(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

func write(_ data: Data, to path: String) throws { try data.write(to: URL(filePath: path)) }

extension Document {
  /// The document without its times, as in Google's format.
  var timeless: Document { Document(name: name, fields: fields) }
}
