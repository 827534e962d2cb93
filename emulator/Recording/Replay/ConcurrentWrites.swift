import Core
import FirestoreModel
import HTTPService
import Synchronization

/// The writes of others during a replay, as they were while it was recorded: a document that is
/// read again is as it was found then.
final class ConcurrentWrites: Sendable {
  private struct State {
    /// Those still to come, the next first.
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

  /// Returns the writes of others that a request is to meet.
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
        // Where it was read first is what the fixture begins with.
        if moment == .read, state.read.insert(name).inserted { continue }
        guard var rest = state.versions[name], rest.first?.moment == moment else { continue }
        let version = rest.removeFirst()
        state.versions[name] = rest
        // Of a query only the fields asked for are known: the others stay as they are.
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
