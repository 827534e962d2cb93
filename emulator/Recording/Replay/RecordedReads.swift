import Core
import FirestoreModel
import HTTPService
import ProviderFakes
import Synchronization

/// Compares what a function reads in a replay with what it read when it was recorded.
final class RecordedReads: Sendable {
  private struct State {
    /// The recorded documents that were neither read nor written yet.
    var open: Set<DocumentName>
    var unrecorded: Set<String> = []
    var queries: Set<JSONValue> = []
  }

  private let recorded: Set<DocumentName>
  /// nil in a recording of which they aren't known.
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

  /// Notes what a request asked of Firestore.
  ///
  /// - Parameter own: what the function has itself written so far: reading that again is no reading.
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
            state.unrecorded.insert("it read \(name.path), which wasn't recorded")
          }
        }
      case .failure(let error): state.unrecorded.insert(error.message)
      }
    }
  }

  /// One sentence for each document or query that wasn't recorded.
  var refusals: [String] {
    let state = state.withLock(\.self)
    let queries = recordedQueries.map { state.queries.subtracting($0) } ?? []
    return state.unrecorded.sorted()
      + queries.map { "it asked \($0.line), which wasn't recorded" }.sorted()
  }

  /// The recorded documents and queries that nobody asked for. What the function wrote was met.
  func unused(own: Set<DocumentName>) -> [String] {
    let state = state.withLock(\.self)
    return state.open.subtracting(own).map(\.path.description).sorted()
      + (recordedQueries ?? []).subtracting(state.queries).map(\.line).sorted()
  }

  /// Each once, by their text.
  var queries: [JSONValue] { state.withLock(\.queries).sorted { $0.line < $1.line } }
}
