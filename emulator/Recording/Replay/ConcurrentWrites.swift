import Core
import FirestoreModel
import HTTPService
import Synchronization

/// The recorded writes of other clients. A replay repeats them, so that a document that is read
/// again has its recorded state.
final class ConcurrentWrites: Sendable {
  private struct State {
    /// The remaining changes of each document, the next one first.
    var versions: [DocumentName: [ConcurrentChange]]
    var read: Set<DocumentName> = []
  }

  private let state: Mutex<State>

  init(_ fixture: ReplayFixture) throws(StatusError) {
    var versions: [DocumentName: [ConcurrentChange]] = [:]
    for (path, documents) in fixture.concurrentChanges {
      let name = try DocumentName(database: fixture.database, path: ResourcePath(path))
      versions[name] = documents
    }
    state = Mutex(State(versions: versions))
  }

  /// Returns the other clients' writes to apply before a request.
  func writes(before request: ServiceRequest) -> [Write] {
    if let commit = FirestoreCommit(request) {
      return writes(at: .commit) { commit.names.contains($0) }
    }
    guard let read = FirestoreRead(request) else { return [] }
    return writes(at: .read) { read.mayRead($0) }
  }

  private func writes(
    at moment: ConcurrentChange.Moment,
    _ isMet: (DocumentName) -> Bool
  ) -> [Write] {
    state.withLock { state in
      var writes: [Write] = []
      let names = state.versions.keys.filter(isMet).sorted { $0.description < $1.description }
      for name in names {
        // The first read returns the fixture's own state of the document.
        if moment == .read, state.read.insert(name).inserted { continue }
        guard var rest = state.versions[name], rest.first?.moment == moment else { continue }
        let version = rest.removeFirst()
        state.versions[name] = rest
        // A query may have read only some fields; the mask keeps the others.
        writes.append(
          version.document.map { document in
            Write(
              .update(document),
              updateMask: FieldMask(document.fields.keys.sorted().map { FieldPath($0) })
            )
          } ?? Write(.delete(name))
        )
      }
      return writes
    }
  }
}
