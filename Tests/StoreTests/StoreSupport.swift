import Core
import FirestoreModel
import Store
import Synchronization
import TestKit

let database = DatabaseName(project: "p", database: "d")

func name(_ path: String, in database: DatabaseName = database) throws -> DocumentName {
  try DocumentName(database: database, path: ResourcePath(path))
}

func resource(_ path: String = "") throws -> ResourceName {
  ResourceName(database: database, path: try ResourcePath(path))
}

func reference(_ path: String) -> Value { .reference("\(database.documents)/\(path)") }

func vector(_ elements: Double...) -> Value {
  ["__type__": "__vector__", "value": .array(elements.map(Value.double))]
}

func invalid(_ message: String) -> StatusError { StatusError(.invalidArgument, message) }

/// A clock that returns the time that the test has set.
final class ManualClock: Sendable {
  private let time: Mutex<Timestamp>

  init(_ time: Timestamp = Timestamp(seconds: 1_000)) { self.time = Mutex(time) }

  func now() -> Timestamp { time.withLock { $0 } }

  func set(_ time: Timestamp) { self.time.withLock { $0 = time } }
}

/// The published commits in order.
final class CommitLog: CommitObserver {
  private struct Entry: CommitEvents {
    let commit: Commit
    let log: CommitLog

    func publish() {
      log.entries.withLock { $0.append(commit) }
      log.onPublish()
    }
  }

  private let entries = Mutex<[Commit]>([])
  private let onPublish: @Sendable () -> Void

  init(onPublish: @escaping @Sendable () -> Void = {}) { self.onPublish = onPublish }

  var commits: [Commit] { entries.withLock { $0 } }

  func prepare(_ commit: Commit) -> (any CommitEvents)? { Entry(commit: commit, log: self) }
}

// MARK: Writes by path

extension Write {
  static func set(
    _ path: String,
    _ fields: Fields = [:],
    mask: [String]? = nil,
    transforms: [FieldTransform] = [],
    if precondition: Precondition? = nil
  ) throws -> Write {
    Write(
      .update(Document(name: try StoreTests.name(path), fields: fields)),
      updateMask: try mask.map { FieldMask(try $0.map(FieldPath.init(parsing:))) },
      updateTransforms: transforms,
      currentDocument: precondition
    )
  }

  static func delete(_ path: String, if precondition: Precondition? = nil) throws -> Write {
    Write(.delete(try StoreTests.name(path)), currentDocument: precondition)
  }

  static func verify(_ path: String, if precondition: Precondition? = nil) throws -> Write {
    Write(.verify(try StoreTests.name(path)), currentDocument: precondition)
  }

  static func transform(_ path: String, _ transforms: [FieldTransform]) throws -> Write {
    Write(.transform(try StoreTests.name(path), transforms))
  }
}

extension Store {
  @discardableResult
  func commit(_ writes: Write...) throws -> Commit { try commit(writes, in: database) }

  func commit(_ writes: [Write], in database: DatabaseName) throws -> Commit {
    try attemptCommit(writes, in: database).now
  }

  func documents(
    _ names: [DocumentName]
  ) throws -> (documents: [DocumentName: Document], readTime: Timestamp) {
    try attemptDocuments(names, in: database, .latest).now
  }

  func list(
    collection: ResourceName,
    pageSize: Int = 0,
    pageToken: String? = nil,
    showMissing: Bool = false
  ) throws -> (documents: [Document], nextPageToken: String?) {
    try attemptList(
      collection: collection,
      pageSize: pageSize,
      pageToken: pageToken,
      showMissing: showMissing
    ).now
  }

  func run(
    _ query: StructuredQuery,
    parent: ResourceName
  ) throws -> (documents: [Document], readTime: Timestamp) {
    let cursor = try attemptQuery(query, parent: parent, .latest).now
    return (try cursor.next(.max), cursor.readTime)
  }

  /// Returns the fields of a document, or `nil` if it doesn't exist.
  func fields(_ path: String) throws -> Fields? { try document(name(path))?.fields }

  /// Returns a store whose collection `c` has documents with the field `v`.
  ///
  /// - Parameter values: the values of the field by document ID.
  static func holding(_ values: [String: Value]) throws -> Store {
    let store = Store()
    _ = try store.commit(values.map { try .set("c/\($0.key)", ["v": $0.value]) }, in: database)
    return store
  }

  /// Returns the IDs of the documents that a query returns, in order.
  func ids(_ query: StructuredQuery, below parent: String = "") throws -> [String] {
    try run(query, parent: resource(parent)).documents.map(\.name.id)
  }
}
