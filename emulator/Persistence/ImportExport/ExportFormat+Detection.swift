import Core

extension ExportFormat {
  /// Opens an export of either format.
  ///
  /// - Parameter path: A folder, or the metadata file in it.
  /// - Throws: `NOT_FOUND` if nothing is there, or only a folder without an export.
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
        "\(path) holds several exports: name the file *\(GoogleExport.fileSuffix) of one"
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
        "\(path) is not the metadata file that describes an export: \(ExportManifest.fileName), "
          + "\(FirebaseMetadata.fileName) or *\(GoogleExport.fileSuffix)"
      )
    }
    return try GoogleImport(overall: path)
  }
}
