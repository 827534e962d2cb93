import Core

extension ExportFormat {
  /// Opens an export, whichever format it has.
  ///
  /// - Parameter path: a folder, or the file in it that describes the export.
  /// - Throws: `NOT_FOUND` if there is nothing, or a folder without an export.
  static func open(
    _ path: String,
    workingDirectory: String
  ) throws(StatusError) -> any ExportReader {
    let path = path.absolutePath(in: workingDirectory)
    var information = stat()
    guard stat(path, &information) == 0 else {
      throw StatusError(.notFound, "\(path): there is no export to import")
    }
    guard information.isFolder else { return try open(file: path) }
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw .file(path, "can't be read")
    }
    let overall = entries.filter { $0.hasSuffix(GoogleExport.fileSuffix) }
    let known = [ExportManifest.fileName, FirebaseMetadata.fileName].filter(entries.contains)
    guard let file = (known + overall).first else {
      throw StatusError(
        .notFound,
        "\(path) holds no export: neither \(ExportManifest.fileName) nor "
          + "\(FirebaseMetadata.fileName) nor a file *\(GoogleExport.fileSuffix)"
      )
    }
    guard !known.isEmpty || overall.count == 1 else {
      throw StatusError(
        .invalidArgument,
        "\(path) holds several exports; name one's file *\(GoogleExport.fileSuffix)"
      )
    }
    return try open(file: "\(path)/\(file)")
  }

  private static func open(file path: String) throws(StatusError) -> any ExportReader {
    if path.hasSuffix("/\(ExportManifest.fileName)") {
      return try LineImport(manifest: path, folder: path.directory)
    }
    if path.hasSuffix("/\(FirebaseMetadata.fileName)") {
      return try GoogleImport(firebase: path)
    }
    guard path.hasSuffix(GoogleExport.fileSuffix) else {
      throw StatusError(
        .invalidArgument,
        "\(path) is not the file that describes an export: \(ExportManifest.fileName), "
          + "\(FirebaseMetadata.fileName) or *\(GoogleExport.fileSuffix)"
      )
    }
    return try GoogleImport(overall: path)
  }
}
