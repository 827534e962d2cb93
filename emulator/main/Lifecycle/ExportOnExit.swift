import Core
import FirestoreModel
import Persistence
import Store

extension EmulatorConfiguration.ExportOnExit {
  /// Exports the data of all services of a project, and prints the names of other projects' databases.
  ///
  /// - Throws: The error of the export to `path`. If the folder can't be used, the documents are
  ///   exported to a folder beside it, and the error is thrown nevertheless.
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
      console.print(
        "exporting as ndjson: Google's format holds one database, and the project has \(own.count)"
      )
      format = .ndjson
    }
    func write(to path: String) async throws(StatusError) {
      let summary = try await transfer.export(project, to: path, as: format)
      let services = summary.services.map { ", \($0)" }.joined()
      console.print("exported \(summary.documents) documents\(services) to \(path)")
    }
    do throws(StatusError) {
      try await write(to: path)
    } catch {
      // The folder has changed since the start. Export to a folder beside it, so that no data is
      // lost.
      if error.code == .failedPrecondition { try await write(to: "\(path)-\(getpid())") }
      throw error
    }
    if !others.isEmpty {
      let names = others.map(\.description).joined(separator: ", ")
      console.print("not exported, because they belong to other projects: \(names)")
    }
  }
}
