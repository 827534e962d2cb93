import CProcess
package import Core

/// The folder an export goes to. The export is written beside it and put in its place at once, so
/// that whatever happens the folder holds a whole one, the old or the new.
package struct ExportDestination: Sendable {
  /// Whether an entry of a folder tells that the folder is an export.
  private static func isMarker(_ entry: String) -> Bool {
    entry == ExportManifest.fileName || entry == FirebaseMetadata.fileName
      || entry.hasSuffix(GoogleExport.fileSuffix)
  }

  /// Whether an entry may be part of one; whatever else is there belongs to somebody.
  private static func isPart(_ entry: String) -> Bool {
    isMarker(entry) || entry.hasSuffix(ExportManifest.documentsSuffix)
      || entry == FirebaseMetadata.firestoreFolder || entry == GoogleExport.documentsFolder
      // The Finder leaves it wherever it looks.
      || entry == ".DS_Store"
  }

  /// Absolute, without links.
  package let path: String
  private let parent: String
  private let name: String
  /// Brings what a folder lists to the disk; false if that failed.
  var sync: @Sendable (String) -> Bool = { syncFolder($0) }

  /// - Parameters:
  ///   - path: absolute or as seen from the working folder.
  ///   - workingDirectory: which must not be at or below it.
  /// - Throws: `INVALID_ARGUMENT` for the working folder or one around it; `NOT_FOUND` or
  ///   `PERMISSION_DENIED` if the folder that is to hold it is not there or can't be written;
  ///   `FAILED_PRECONDITION` if something else than an export is there.
  package init(_ path: String, workingDirectory: String) throws(StatusError) {
    let given = path.absolutePath(in: workingDirectory)
    if let whole = given.resolvedPath {
      self.path = whole
    } else {
      var parts = given.split(separator: "/").map(String.init)
      let last = parts.popLast() ?? ""
      let above = "/" + parts.joined(separator: "/")
      guard last != "..", last != ".", let folder = above.resolvedPath else {
        throw StatusError(.notFound, "\(path): there is no folder \(above) to export into")
      }
      self.path = folder == "/" ? "/\(last)" : "\(folder)/\(last)"
    }
    let parts = self.path.split(separator: "/").map(String.init)
    name = parts.last ?? ""
    parent = "/" + parts.dropLast().joined(separator: "/")
    let working = workingDirectory.resolvedPath ?? workingDirectory
    guard self.path != "/", working != self.path, !working.hasPrefix(self.path + "/") else {
      throw StatusError(
        .invalidArgument,
        "\(path) is the working folder or around it, and an export would replace all of it"
      )
    }
    try check()
  }

  /// Lets `write` fill a new folder, then puts that in place of the old one.
  ///
  /// - Parameter write: given the new folder; if it throws, everything is left as it was.
  func replace<Success>(
    _ write: (String) throws(StatusError) -> Success
  ) throws(StatusError) -> Success {
    try check()
    removeLeftovers()
    let folder = beside(getpid())
    guard mkdir(folder, 0o777) == 0 else { throw .file(folder, "can't be made") }
    let result: Success
    do throws(StatusError) {
      result = try write(folder)
      try syncFolders(of: folder)
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    try install(folder)
    return result
  }

  /// Brings the names of all files to the disk, from the deepest folder up.
  private func syncFolders(of folder: String) throws(StatusError) {
    guard let entries = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
      throw .file(folder, "can't be read")
    }
    var folders = [folder]
    for entry in entries.map({ "\(folder)/\($0)" }).sorted() {
      var information = stat()
      guard stat(entry, &information) == 0 else { throw .file(entry, "can't be read") }
      if information.isFolder { folders.append(entry) }
    }
    for folder in folders.reversed() {
      guard sync(folder) else { throw .file(folder, "can't be written") }
    }
  }

  private func install(_ folder: String) throws(StatusError) {
    let replaces = access(path, F_OK) == 0
    guard replaces ? exchange(folder, path) : rename(folder, path) == 0 else {
      let error = StatusError.file(path, replaces ? "can't be replaced" : "can't be made")
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    // Or a power cut might take the new name when the old export is gone already.
    guard sync(parent) else {
      let error = StatusError.file(parent, "can't be written")
      // Which of the two the disk has is unknown: neither is deleted before the next export.
      _ = replaces ? exchange(folder, path) : rename(path, folder) == 0
      throw error
    }
    if replaces { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Swaps the folders, so that at no instant neither is there. Where the file system can't, the
  /// old one is away for an instant, under a name of its own.
  ///
  /// - Returns: false if nothing has changed; `errno` says why.
  private func exchange(_ folder: String, _ path: String) -> Bool {
    errno = cprocess_exchange(folder, path)
    guard errno == ENOTSUP else { return errno == 0 }
    let aside = folder + Self.asideSuffix
    guard rename(path, aside) == 0 else { return false }
    guard rename(folder, path) == 0 else {
      let reason = errno
      rename(aside, path)
      errno = reason
      return false
    }
    // Should this fail, the old one stays under that name.
    rename(aside, folder)
    return true
  }

  private func check() throws(StatusError) {
    guard access(parent, W_OK | X_OK) == 0 else { throw .file(parent, "can't be written") }
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    guard information.isFolder else {
      throw StatusError(.failedPrecondition, "\(path) is not a folder")
    }
    var around = stat()
    guard stat(parent, &around) != 0 || around.st_dev == information.st_dev else {
      throw StatusError(
        .failedPrecondition,
        "\(path) is where a file system is mounted, and can't be replaced; name a folder in it"
      )
    }
    guard access(path, R_OK | W_OK | X_OK) == 0,
      let entries = try? FileManager.default.contentsOfDirectory(atPath: path)
    else { throw .file(path, "can't be replaced") }
    guard !entries.isEmpty else { return }
    guard entries.contains(where: Self.isMarker) else {
      throw StatusError(
        .failedPrecondition,
        "\(path) is not empty and holds no export; it is not replaced"
      )
    }
    if let first = entries.filter({ !Self.isPart($0) }).min() {
      throw StatusError(
        .failedPrecondition,
        "\(path) holds \(first), which is no part of an export; it is not replaced"
      )
    }
  }

  private static let asideSuffix = ".old"

  private func beside(_ process: pid_t) -> String { "\(parent)/.\(name).export-\(process)" }

  /// What exports left behind that were killed.
  private func removeLeftovers() {
    let prefix = ".\(name).export-"
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      let isAside = entry.hasSuffix(Self.asideSuffix)
      let number = entry.dropFirst(prefix.count).dropLast(isAside ? Self.asideSuffix.count : 0)
      guard entry.hasPrefix(prefix), let process = pid_t(number),
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
      else { continue }
      let leftover = "\(parent)/\(entry)"
      // Killed between the two steps of a swap, that one was about to be replaced and is all
      // there is.
      if isAside, access(path, F_OK) != 0, rename(leftover, path) == 0 { continue }
      try? FileManager.default.removeItem(atPath: leftover)
    }
  }
}
