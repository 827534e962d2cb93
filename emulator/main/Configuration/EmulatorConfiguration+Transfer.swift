import Authentication
import CloudStorage
import Core
import Persistence
import RealtimeDatabase

extension EmulatorConfiguration {
  /// The import that `--import` names.
  struct DataImport: Sendable {
    /// The absolute path of the export.
    var path: String
    var firesTriggers: Bool
  }

  /// The export that `--export-on-exit` names.
  struct ExportOnExit: Sendable {
    /// The absolute path of the folder.
    var path: String
    var format: ExportFormat
  }

  /// Sets the import and the export from the options.
  ///
  /// A folder that can't be written is refused at the start: on exit, the data would be lost.
  mutating func chooseTransfers(
    _ options: EmulatorOptions,
    folder: String
  ) throws(StatusError) {
    if let path = options.data.exportOnExit {
      do throws(StatusError) {
        exportOnExit = ExportOnExit(
          path: try Self.destination(path, in: folder).path,
          format: options.data.exportFormat
        )
      } catch {
        throw StatusError(error.code, "--export-on-exit: \(error.message)")
      }
    }
    guard let path = options.data.importPath?.absolutePath(in: folder) else {
      if options.data.importTriggers {
        throw StatusError(.invalidArgument, "--import-triggers needs --import")
      }
      return
    }
    let isFirstStart =
      access(path, F_OK) != 0 && exportOnExit != nil
      && (try? Self.destination(path, in: folder))?.path == exportOnExit?.path
    if !isFirstStart {
      dataImport = DataImport(path: path, firesTriggers: options.data.importTriggers)
    }
  }

  private static func destination(
    _ path: String,
    in folder: String
  ) throws(StatusError) -> ExportDestination {
    try ExportDestination(
      path,
      workingDirectory: folder,
      services: [AccountExport.name, DatabaseExport.name, ObjectExport.name]
    )
  }
}
