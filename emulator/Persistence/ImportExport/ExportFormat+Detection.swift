import Core

extension ExportFormat {
  /// Opens an export of either format.
  ///
  /// - Parameter path: The path of the export's folder, or of the metadata file in it.
  /// - Throws: `NOT_FOUND` if nothing exists at the path, or if the folder contains no export;
  ///   `INVALID_ARGUMENT` if it is unclear which file to read.
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
        "\(path) contains no export: neither \(ExportManifest.fileName) nor "
          + "\(FirebaseMetadata.fileName) nor a file *\(GoogleExport.fileSuffix)"
      )
    }
    guard !known.isEmpty || overall.count == 1 else {
      throw StatusError(
        .invalidArgument,
        "\(path) contains several exports: name one of the files *\(GoogleExport.fileSuffix)"
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
        "\(path) is not an export: name its folder, or its file \(ExportManifest.fileName), "
          + "\(FirebaseMetadata.fileName) or *\(GoogleExport.fileSuffix)"
      )
    }
    return try GoogleImport(overall: path)
  }
}
