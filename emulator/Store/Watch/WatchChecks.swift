import Core
import FirestoreModel

/// The checks of the targets in one database, with the documents that their results depend on.
struct WatchChecks {
  /// A target that no longer passes its check.
  struct Failure {
    let listener: Listener
    let target: Int32
    let error: StatusError
  }

  private struct Entry {
    let listener: Listener
    let check: WatchCheck
    /// The keys of the documents that the result depends on.
    var documents: Set<KeyBytes> = []
  }

  private var entries: [Watch.Subscriber: Entry] = [:]
  /// The subscribers whose checks depend on a document, by the document's key.
  private var dependents: [KeyBytes: Set<Watch.Subscriber>] = [:]

  var subscribers: Set<Watch.Subscriber> { Set(entries.keys) }

  /// Adds a target that has passed its check.
  ///
  /// - Parameter documents: The documents that the result depends on.
  mutating func add(
    _ check: @escaping WatchCheck,
    of subscriber: Watch.Subscriber,
    _ listener: Listener,
    dependingOn documents: Set<ResourcePath>
  ) {
    remove(subscriber)
    entries[subscriber] = Entry(listener: listener, check: check)
    depend(subscriber, on: documents)
  }

  mutating func remove(_ subscriber: Watch.Subscriber) {
    guard !entries.isEmpty else { return }
    depend(subscriber, on: [])
    entries[subscriber] = nil
  }

  private mutating func depend(_ subscriber: Watch.Subscriber, on paths: Set<ResourcePath>) {
    guard let old = entries[subscriber]?.documents, !old.isEmpty || !paths.isEmpty else { return }
    let documents = Set(paths.map(KeyBytes.init))
    for key in old.subtracting(documents) {
      dependents[key]?.remove(subscriber)
      if dependents[key]?.isEmpty == true { dependents[key] = nil }
    }
    for key in documents.subtracting(old) { dependents[key, default: []].insert(subscriber) }
    entries[subscriber]?.documents = documents
  }

  /// Returns the subscribers whose checks depend on a changed document.
  func dependents(of changes: [StagedChange]) -> Set<Watch.Subscriber> {
    guard !dependents.isEmpty else { return [] }
    return changes.reduce(into: []) { found, change in
      if let subscribers = dependents[change.key] { found.formUnion(subscribers) }
    }
  }

  /// Makes the checks of subscribers again, and returns those that fail.
  mutating func repeatChecks(
    of subscribers: Set<Watch.Subscriber>,
    in state: DatabaseState
  ) -> [Failure] {
    var failures: [Failure] = []
    for subscriber in subscribers {
      guard let entry = entries[subscriber] else { continue }
      do throws(StatusError) {
        depend(subscriber, on: try entry.check(state))
      } catch {
        failures.append(
          Failure(listener: entry.listener, target: subscriber.target, error: error)
        )
      }
    }
    return failures
  }
}
