import Core
import FirestoreAPI
import FirestoreModel
import FunctionRuntime
import HTTPService
import Persistence
import ProviderFakes
import Store
import Synchronization

/// The isolated environment of a replay: a Firestore with the recorded documents, and providers
/// with the recorded responses. Its clock always shows the same time.
final class ReplayRun: Sendable {
  private let store: Store
  private let firestore: FirestoreREST
  private let exchanges: RecordedExchanges
  private let reads: RecordedReads
  private let concurrentWrites: ConcurrentWrites
  private let changes: Changes

  /// The net changes of the documents that the function wrote.
  private final class Changes: CommitObserver {
    let documents = Mutex<[DocumentName: DocumentChange]>([:])

    var names: Set<DocumentName> { documents.withLock { Set($0.keys) } }

    /// Merges a commit into the changes. For each document, the first `before` and the last `after`
    /// are kept.
    func prepare(_ commit: Commit) -> (any CommitEvents)? {
      // Other clients' writes, which don't fire triggers here, aren't changes by the function.
      guard commit.cause.firesTriggers else { return nil }
      documents.withLock { documents in
        for change in commit.changes {
          documents[change.name] = DocumentChange(
            name: change.name,
            before: documents[change.name].map(\.before) ?? change.before,
            after: change.after
          )
        }
      }
      return nil
    }
  }

  init(_ fixture: ReplayFixture) throws(StatusError) {
    let documents = fixture.documents.values.compactMap(\.self)
    let changes = Changes()
    let sources = FunctionContext.Sources.fixed(at: fixture.time, seed: fixture.invocationID)
    let latest = documents.compactMap(\.updateTime).max() ?? fixture.time
    // Commit times differ by a microsecond. This start keeps all of them within a millisecond, so
    // that the order of simultaneous commits doesn't matter.
    let start = max(fixture.time, latest).wholeMilliseconds.advanced(by: .milliseconds(1))
    store = Store(
      contents: StoreContents(
        documents: [fixture.database: documents],
        lastCommitTime: latest
      ),
      clock: { start },
      observers: [changes]
    )
    firestore = FirestoreREST(
      FirestoreService(
        project: fixture.database.project,
        store: store,
        newID: sources.newID
      ),
      transfer: DataTransfer(store: store, workingDirectory: "/"),
      shutDown: {}
    )
    self.changes = changes
    concurrentWrites = try ConcurrentWrites(fixture)
    reads = try RecordedReads(fixture)
    exchanges = RecordedExchanges(fixture.exchanges)
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let request = request.toProvider else {
      for write in concurrentWrites.writes(before: request) {
        _ = try await store.commit(
          [write],
          in: write.name.database,
          cause: CommitCause(firesTriggers: false)
        )
      }
      // Take the names before the request: a document that is written during it must be recorded.
      let own = changes.names
      let response = try await firestore.respond(to: request).collected()
      reads.note(request, response, own: own)
      return response
    }
    return exchanges.answer(request)
  }

  /// The descriptions of the requests that weren't recorded, one sentence each.
  var refusals: [String] { exchanges.refusals + reads.refusals }

  /// The recorded requests and documents that weren't requested.
  var unused: [String] {
    exchanges.unused.map { "\($0.request.method) \($0.request.path)" }
      + reads.unused(own: changes.names)
  }

  /// The queries of the function.
  var queries: [JSONValue] { reads.queries }

  /// Returns the final fields of changed documents by path, null for a deleted document. A document
  /// that was created and deleted again isn't included.
  func finalChanges() throws(StatusError) -> JSONObject {
    var all: JSONObject = [:]
    for (name, change) in changes.documents.withLock(\.self) {
      guard change.before != nil || change.after != nil else { continue }
      all[name.path.description] =
        try change.after.map { document throws(StatusError) in
          try JSONValue(encoding: document.fields.mapValues(\.inWholeMilliseconds))
        } ?? .null
    }
    return all
  }
}

extension Timestamp {
  /// The time truncated to milliseconds.
  var wholeMilliseconds: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1_000_000 * 1_000_000)
  }
}

extension Value {
  fileprivate var inWholeMilliseconds: Value {
    switch self {
    case .timestamp(let time): .timestamp(time.wholeMilliseconds)
    case .array(let values): .array(values.map(\.inWholeMilliseconds))
    case .map(let fields): .map(fields.mapValues(\.inWholeMilliseconds))
    default: self
    }
  }
}
