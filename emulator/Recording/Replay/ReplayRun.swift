import Core
import FirestoreAPI
import FirestoreModel
import FunctionRuntime
import HTTPService
import Persistence
import ProviderFakes
import Store
import Synchronization

/// The world of one replay: a Firestore with the recorded documents, and providers that know the
/// recorded answers. Time stands still in it.
final class ReplayRun: Sendable {
  private let store: Store
  private let firestore: FirestoreHTTP
  private let exchanges: RecordedExchanges
  private let reads: RecordedReads
  private let concurrentWrites: ConcurrentWrites
  private let changes: Changes

  /// The last state of what the function changed.
  private final class Changes: CommitObserver {
    let documents = Mutex<[DocumentName: DocumentChange]>([:])

    var names: Set<DocumentName> { documents.withLock { Set($0.keys) } }

    /// Only the first `before` and the last `after` count.
    func prepare(_ commit: Commit) -> (any CommitEvents)? {
      // What others do doesn't fire triggers here.
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
    // Commits come a microsecond after each other: from here on they have one millisecond, in
    // whatever order those that are made at once go through.
    let start = max(fixture.time, latest).wholeMilliseconds.advanced(by: .milliseconds(1))
    store = Store(
      contents: StoreContents(
        documents: [fixture.database: documents],
        lastCommitTime: latest
      ),
      clock: { start },
      observers: [changes]
    )
    firestore = FirestoreHTTP(
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
    guard request.path.first == "providers" else {
      for write in concurrentWrites.writes(before: request) {
        _ = try await store.commit(
          [write],
          in: write.name.database,
          cause: CommitCause(firesTriggers: false)
        )
      }
      // As it was asked: what the function writes meanwhile is not yet its own.
      let own = changes.names
      let response = try await firestore.respond(to: request).collected()
      reads.note(request, response, own: own)
      return response
    }
    var request = request
    request.path.removeFirst()
    return exchanges.answer(request)
  }

  /// One sentence for each request that wasn't recorded.
  var refusals: [String] { exchanges.refusals + reads.refusals }

  /// What was recorded and not asked for.
  var unused: [String] {
    exchanges.unused.map { "\($0.request.method) \($0.request.path)" }
      + reads.unused(own: changes.names)
  }

  /// What was asked of collections.
  var queries: [JSONValue] { reads.queries }

  /// The fields of what was changed, by path; null for what is gone. What came and went is not in it.
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
  /// Without what is shorter than a millisecond.
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
