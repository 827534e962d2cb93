import Platform
import RPCStatus

extension ExportFormat {
  /// Opens an export, whichever format it has.
  ///
  /// - Parameter path: a folder, or the file in it that describes the export.
  /// - Throws: `NOT_FOUND` if there is nothing, or a folder without an export.
  static func open(
    _ path: String,
    workingDirectory: String
  ) throws(StatusError) -> any ExportReader {
    let path = path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
    var information = stat()
    guard stat(path, &information) == 0 else {
      throw StatusError(.notFound, "\(path): there is no export to import")
    }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      return try open(
        file: String(parts.last ?? ""),
        in: parts.dropLast().joined(separator: "/")
      )
    }
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw .file(path, "can't be read")
    }
    guard
      let file = [ExportManifest.fileName].first(where: entries.contains)
    else {
      throw StatusError(
        .notFound,
        "\(path) holds no export: no \(ExportManifest.fileName)"
      )
    }
    return try open(file: file, in: path)
  }

  private static func open(
    file: String,
    in folder: String
  ) throws(StatusError) -> any ExportReader {
    try LineImport(manifest: "\(folder)/\(file)", folder: folder)
  }
}
