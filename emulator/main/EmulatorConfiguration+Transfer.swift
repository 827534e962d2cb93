import Core
import Persistence

extension EmulatorConfiguration {
  /// `--import`
  struct DataImport: Sendable {
    /// Absolute.
    var path: String
    var firesTriggers: Bool
  }

  /// `--export-on-exit`
  struct ExportOnExit: Sendable {
    /// Absolute.
    var path: String
    var format: ExportFormat
  }

  /// What can't be written at the end is refused now, before there is anything to lose.
  mutating func chooseTransfers(
    _ options: EmulatorOptions,
    folder: String
  ) throws(StatusError) {
    if let path = options.exportOnExit {
      do throws(StatusError) {
        exportOnExit = ExportOnExit(
          path: try ExportDestination(path, workingDirectory: folder).path,
          format: options.exportFormat
        )
      } catch {
        throw StatusError(error.code, "--export-on-exit: \(error.message)")
      }
    }
    guard let path = options.importPath?.absolutePath(in: folder) else {
      if options.importTriggers {
        throw StatusError(.invalidArgument, "--import-triggers is nothing without --import")
      }
      return
    }
    let isFirstStart =
      access(path, F_OK) != 0 && exportOnExit != nil
      && (try? ExportDestination(path, workingDirectory: folder))?.path == exportOnExit?.path
    if !isFirstStart {
      dataImport = DataImport(path: path, firesTriggers: options.importTriggers)
    }
  }
}
