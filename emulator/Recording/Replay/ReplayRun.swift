import FirestoreAPI
import FirestoreModel
import FunctionRuntime
import HTTPService
import RPCStatus
import Store
import Synchronization
import Transfer

/// The world of one replay: a Firestore with the recorded documents, and providers that know the
/// recorded answers. Time stands still in it.
final class ReplayRun: Sendable {
  private let firestore: FirestoreHTTP
  let exchanges: ExchangeBook
  private let changes: Changes

  /// The last state of what was changed, by path.
  private final class Changes: Sendable {
    let documents = Mutex<[String: Document?]>([:])
  }

  init(_ fixture: ReplayFixture, matching: ExchangeBook.Matching) {
    let documents = fixture.documents.values.compactMap(\.self)
    let changes = Changes()
    let sources = FunctionContext.Sources.fixed(at: fixture.time, seed: fixture.invocationID)
    let store = Store(
      contents: StoreContents(
        documents: [fixture.database: documents],
        lastCommitTime: documents.compactMap(\.updateTime).max() ?? Timestamp(microseconds: 0)
      ),
      clock: sources.now
    ) { commit in
      changes.documents.withLock { documents in
        for change in commit.changes {
          documents.updateValue(change.after, forKey: change.name.path.description)
        }
      }
    }
    firestore = FirestoreHTTP(
      FirestoreService(store: store, newID: sources.newID),
      transfer: DataTransfer(store: store, workingDirectory: "/"),
      shutDown: {}
    )
    self.changes = changes
    exchanges = ExchangeBook(fixture.exchanges, matching: matching)
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard request.path.first == "providers" else {
      return try await firestore.respond(to: request)
    }
    var request = request
    request.path.removeFirst()
    return exchanges.answer(request)
  }

  /// The fields of what was changed, by path; null for what is gone.
  func finalChanges() throws(StatusError) -> [String: JSONValue] {
    var all: [String: JSONValue] = [:]
    for (path, document) in changes.documents.withLock(\.self) {
      all[path] =
        try document.map { document throws(StatusError) in
          try JSONValue(encoding: document.fields)
        } ?? .null
    }
    return all
  }
}
