import Core
import FirestoreModel
import Persistence
import Store
import TestKit

let database = DatabaseName(project: "p", database: "d")

func name(_ path: String, in database: DatabaseName = database) throws -> DocumentName {
  try DocumentName(database: database, path: ResourcePath(path))
}

extension Write {
  static func set(
    _ path: String,
    _ fields: Fields = [:],
    in database: DatabaseName = database,
    if precondition: Precondition? = nil
  ) throws -> Write {
    Write(
      .update(Document(name: try PersistenceTests.name(path, in: database), fields: fields)),
      currentDocument: precondition
    )
  }

  static func delete(_ path: String, in database: DatabaseName = database) throws -> Write {
    Write(.delete(try PersistenceTests.name(path, in: database)))
  }
}

/// A store with its data in a folder, as in one run of an emulator.
struct Run {
  let store: Store
  let journal: SQLiteJournal
  let contents: StoreContents

  init(
    _ folder: DataFolder,
    _ limits: SQLiteJournal.Limits,
    _ clock: @escaping @Sendable () -> Timestamp
  ) throws {
    let durable = try DurableStore(in: folder, limits: limits)
    journal = durable.journal
    contents = durable.contents
    store = Store(contents: durable.contents, journal: journal, clock: clock)
  }

  @discardableResult
  func commit(_ writes: Write..., in database: DatabaseName = database) async throws -> Commit {
    try await store.commit(writes, in: database)
  }

  /// Returns all documents of all databases.
  func documents() throws -> [DocumentName: Document] {
    try Dictionary(
      uniqueKeysWithValues: store.databases.flatMap { database in
        try store.documents(in: database).map { ($0.name, $0) }
      }
    )
  }
}

/// Runs `body` with a store whose data is in the folder.
///
/// - Parameter closes: whether the store is closed at the end. If not, it is abandoned, as in a
///   crash.
@discardableResult
func withRun<Result: Sendable>(
  _ folder: String,
  limits: SQLiteJournal.Limits = .init(),
  closes: Bool = true,
  clock: @escaping @Sendable () -> Timestamp = { .now },
  _ body: (Run) async throws -> Result
) async throws -> Result {
  let run = try Run(await taken(folder), limits, clock)
  let result = try await body(run)
  if closes { await run.store.close() }
  return result
}

/// Waits until the previous run's threads have closed the folder, and locks it.
func taken(_ folder: String) async throws -> DataFolder {
  while true {
    do throws(StatusError) {
      return try DataFolder(folder)
    } catch {
      guard error.message.contains("is in use") else { throw error }
      // No notification exists for that, so the loop polls.
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}

extension Store {
  func documents(in database: DatabaseName) throws -> [Document] {
    let attempt = try attemptQuery(.everything, parent: ResourceName(database: database), .latest)
    guard case .done(let cursor) = attempt else { throw StatusError(.aborted, "has to wait") }
    return try cursor.next(.max)
  }
}

/// Limits that are so low that even little data causes folds and checkpoints.
extension SQLiteJournal.Limits {
  static var tiny: Self {
    var limits = Self()
    limits.logBytes = 2_000
    limits.sliceBytes = 700
    limits.unmovedBytes = 40_000
    return limits
  }
}

/// Returns the content of the files in a folder.
///
/// The lock, SQLite's shared-memory index, and empty logs are left out.
func content(of folder: String) throws -> [String: Data] {
  var content: [String: Data] = [:]
  for file in try FileManager.default.contentsOfDirectory(atPath: folder)
  where file != "lock" && !file.hasSuffix("-shm") {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
    if !(file.hasSuffix("-wal") && data.isEmpty) { content[file] = data }
  }
  return content
}
