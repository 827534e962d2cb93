import Core
import FirestoreModel
import HTTPService
import ProviderFakes
import Synchronization

/// The comparison of a replay's reads with the recorded ones.
final class RecordedReads: Sendable {
  private struct State {
    /// The recorded documents that the function has yet to read or write.
    var open: Set<DocumentName>
    var unrecorded: Set<String> = []
    var queries: Set<JSONValue> = []
  }

  private let recorded: Set<DocumentName>
  /// The recorded queries, or `nil` for a recording without them.
  private let recordedQueries: Set<JSONValue>?
  private let state: Mutex<State>

  init(_ fixture: ReplayFixture) throws(StatusError) {
    var names: Set<DocumentName> = []
    for path in fixture.documents.keys {
      names.insert(try DocumentName(database: fixture.database, path: ResourcePath(path)))
    }
    recorded = names
    recordedQueries = fixture.queries.map(Set.init)
    state = Mutex(State(open: names))
  }

  /// Adds a request to Firestore and its response.
  ///
  /// - Parameter own: the documents that the function has written so far. Reading them needs no
  ///   recording.
  func note(_ request: ServiceRequest, _ response: ServiceResponse, own: Set<DocumentName>) {
    if let commit = FirestoreCommit(request) {
      state.withLock { $0.open.subtract(commit.names) }
    }
    guard let read = FirestoreRead(request) else { return }
    state.withLock { state in
      if let query = read.query { state.queries.insert(query) }
      switch read.documents(in: response) {
      case .success(let documents):
        for (name, _) in documents {
          state.open.remove(name)
          if !recorded.contains(name), !own.contains(name) {
            state.unrecorded.insert("the function read \(name.path), which wasn't recorded")
          }
        }
      case .failure(let error): state.unrecorded.insert(error.message)
      }
    }
  }

  /// The descriptions of the documents and queries that weren't recorded, one sentence each.
  var refusals: [String] {
    let state = state.withLock(\.self)
    let queries = recordedQueries.map { state.queries.subtracting($0) } ?? []
    return state.unrecorded.sorted()
      + queries.map { "the function sent the query \($0.line), which wasn't recorded" }.sorted()
  }

  /// Returns the recorded documents and queries that weren't requested, except documents that the
  /// function wrote.
  func unused(own: Set<DocumentName>) -> [String] {
    let state = state.withLock(\.self)
    return state.open.subtracting(own).map(\.path.description).sorted()
      + (recordedQueries ?? []).subtracting(state.queries).map(\.line).sorted()
  }

  /// The distinct queries, ordered by their JSON text.
  var queries: [JSONValue] { state.withLock(\.queries).sorted { $0.line < $1.line } }
}
