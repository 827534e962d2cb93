import Core
import FirestoreModel
import Persistence
import Store

extension EmulatorConfiguration.ExportOnExit {
  /// Writes everything of a project; other projects' databases are named only.
  ///
  /// - Throws: what keeps it from being written there, also if it is then written beside.
  func write(
    _ project: String,
    from store: Store,
    by transfer: DataTransfer,
    _ console: Console
  ) async throws(StatusError) {
    let databases = store.databases
    let own = databases.filter { $0.project == project }
    let others = databases.filter { $0.project != project }
    var format = format
    if format == .google, own.count > 1 {
      console.print("Google's format holds one database and there are \(own.count): this is ndjson")
      format = .ndjson
    }
    func write(to path: String) async throws(StatusError) {
      let summary = try await transfer.export(project, to: path, as: format)
      console.print("exported \(summary.documents) documents to \(path)")
    }
    do throws(StatusError) {
      try await write(to: path)
    } catch {
      // The folder is another one than at the start; the data must go somewhere all the same.
      if error.code == .failedPrecondition { try await write(to: "\(path)-\(getpid())") }
      throw error
    }
    if !others.isEmpty {
      let names = others.map(\.description).joined(separator: ", ")
      console.print("not exported, being of other projects: \(names)")
    }
  }
}
