import Core
import FirestoreClient
import FirestoreModel
import FunctionHost
import Store

/// The run of the emulator that used the data folder before this one.
///
/// After `kill -9`, its functions can't finish their work, but the leases that they held would last
/// for up to `LEASE_SECONDS`, and delay the functions of this run.
struct PreviousRun {
  private static let batch = 500

  let id: String

  /// Ends those of the run's processes that are still running, and then deletes their leases.
  ///
  /// Leases of other processes are kept: those of functions that another server or a shell runs may
  /// be in use.
  func end(in store: Store) async throws(StatusError) {
    // Where it isn't known that the processes have ended, the leases expire.
    guard try await RunMark.killAll(of: id) else { return }
    for database in store.databases { try await deleteLeases(store, database) }
  }

  private func deleteLeases(_ store: Store, _ database: DatabaseName) async throws(StatusError) {
    let prefix = Leases.holderPrefix(of: id)
    let cursor = try await store.attemptQuery(
      StructuredQuery(from: Leases.collection),
      parent: ResourceName(database: database),
      .latest
    ).value()
    while true {
      let leases = try cursor.next(Self.batch)
      guard !leases.isEmpty else { return }
      let writes = leases.filter {
        $0.fields["holder"]?.stringValue?.utf8.starts(with: prefix.utf8) ?? false
      }
      .map { Write(.delete($0.name)) }
      if !writes.isEmpty { _ = try await store.commit(writes, in: database) }
    }
  }
}
