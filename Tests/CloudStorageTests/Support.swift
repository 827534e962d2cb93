import Core
import FirestoreModel
import HTTPService
import Store
import Synchronization
import TestKit

@testable import CloudStorage

/// A journal in memory, whose records survive the stores that write to it.
final class MemoryJournal: Journal {
  private struct State {
    var records: [String: Data] = [:]
    var failure: StatusError?
  }

  private let state = Mutex(State())

  var records: [String: Data] { state.withLock(\.records) }

  /// Makes further appends fail, or work again.
  func fail(with error: StatusError?) { state.withLock { $0.failure = error } }

  func append(_ entries: [JournalEntry]) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      if let failure = state.failure { throw failure }
      for case .record(let record) in entries { state.records[record.key] = record.content }
    }
  }

  func tidy(isIdle: Bool) -> Bool { false }
  func close() {}
}

/// An observer that collects the events of changes.
final class EventLog: ObjectObserver {
  private let lines = Mutex<[String]>([])

  /// The kinds and names of the objects' events so far.
  var events: [String] { lines.withLock(\.self) }

  func prepare(_ change: ObjectChange) -> (any CommitEvents)? {
    lines.withLock { lines in lines += change.events.map { "\($0.kind) \($0.object.name)" } }
    return nil
  }
}

/// A store of objects on a journal.
struct StorageSide: Sendable {
  static let bucket = "demo-test.appspot.com"

  let store: ObjectStore
  let requester: StorageRequester

  /// Creates a store with what the journal has.
  init(
    in folder: String,
    _ journal: MemoryJournal = MemoryJournal(),
    observer: (any ObjectObserver)? = nil,
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) throws(StatusError) {
    let documents = Store(journal: journal)
    store = try ObjectStore(
      StorageRecords.contents(of: journal.records, project: "demo-test"),
      of: "demo-test",
      in: ObjectFolder("\(folder)/objects", isDurable: false),
      journal: StorageRecords(in: documents, of: "demo-test"),
      observer: observer,
      now: now
    )
    requester = StorageRequester(
      rights: StorageRights(
        caller: .administrator,
        rules: StorageRules(),
        documents: FirestoreDocuments(store: documents, project: "demo-test")
      ),
      cause: ObjectCause()
    )
  }

  /// Uploads an object.
  func put(
    _ name: String,
    _ text: String,
    conditions: Conditions = Conditions()
  ) async throws(StorageError) -> ObjectMetadata {
    var upload = ObjectUpload(bucket: Self.bucket, name: name)
    upload.conditions = conditions
    let content = try await store.receive(RequestBody(Data(text.utf8)))
    return try await store.put(content, upload, by: requester)
  }

  /// Returns the content of an object, or `nil` if it doesn't exist.
  func text(_ name: String) throws(StorageError) -> String? {
    guard let object = try store.openObject(ObjectKey(Self.bucket, name)) else { return nil }
    let data = try object.content.piece(at: 0, upTo: object.metadata.size)
    return String(decoding: data, as: UTF8.self)
  }

  /// The number of files with content.
  var fileCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: store.folder.path).count) ?? 0
  }
}

/// Returns the HTTP status of the error that a closure throws, or `nil` if it throws none.
func status(
  of body: () async throws(StorageError) -> some Any
) async -> Int? {
  do throws(StorageError) {
    _ = try await body()
    return nil
  } catch {
    return error.httpStatus
  }
}
