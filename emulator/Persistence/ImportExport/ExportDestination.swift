import CProcess
package import Core

/// The folder to export to.
///
/// A new export is written to a temporary folder in the same parent folder, and then replaces the
/// old folder in one step. So the folder always contains a complete export, either the old or the
/// new one.
package struct ExportDestination: Sendable {
  /// Returns whether a file name shows that its folder is an export.
  private static func isMarker(_ entry: String) -> Bool {
    entry == ExportManifest.fileName || entry == FirebaseMetadata.fileName
      || entry.hasSuffix(GoogleExport.fileSuffix)
  }

  /// Returns whether a file or folder with this name may be part of an export. A folder with any
  /// other entry isn't replaced.
  private func isPart(_ entry: String) -> Bool {
    Self.isMarker(entry) || entry.hasSuffix(ExportManifest.documentsSuffix)
      || entry == FirebaseMetadata.firestoreFolder || entry == GoogleExport.documentsFolder
      || services.contains { entry == ServiceEntry.folder(of: $0) }
      // The macOS Finder creates this file in every folder that it shows.
      || entry == ".DS_Store"
  }

  /// The folder's absolute path, without symbolic links.
  package let path: String
  private let parent: String
  private let name: String
  /// The names of the services that the new export has besides Firestore.
  private let services: [String]
  /// A closure that syncs a folder's entries to disk, and returns false if the sync fails.
  var sync: @Sendable (String) -> Bool = { syncFolder($0) }

  /// Checks a folder before an export.
  ///
  /// - Parameters:
  ///   - path: The folder's path, absolute or relative to the working folder.
  ///   - workingDirectory: The working folder, which must not be at or below `path`.
  ///   - services: The names of the services that the new export has besides Firestore. A folder
  ///     with the data of others isn't replaced.
  /// - Throws: `INVALID_ARGUMENT` for the working folder or a folder that contains it; `NOT_FOUND`
  ///   or `PERMISSION_DENIED` if the parent folder doesn't exist or can't be written;
  ///   `FAILED_PRECONDITION` if the folder isn't empty and isn't an export.
  package init(
    _ path: String,
    workingDirectory: String,
    services: [String] = []
  ) throws(StatusError) {
    self.services = services
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
        "\(path) is the working folder or contains it, and an export would replace it: name another folder"
      )
    }
    try check()
  }

  /// Creates a new folder, fills it, and replaces the old folder with it.
  ///
  /// - Parameter write: A closure that fills the new folder, whose path it gets. If it throws, the
  ///   old folder is kept.
  func replace<Success>(
    _ write: (String) throws(StatusError) -> Success
  ) throws(StatusError) -> Success {
    try check()
    removeLeftovers()
    let folder = beside(getpid())
    guard mkdir(folder, 0o777) == 0 else { throw .file(folder, "can't be created") }
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

  /// Syncs the entries of a folder and of all its subfolders to disk, the deepest subfolders first.
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
      let error = StatusError.file(path, replaces ? "can't be replaced" : "can't be created")
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    // Without this sync, a power cut could undo the renaming after the old export is deleted.
    guard sync(parent) else {
      let error = StatusError.file(parent, "can't be written")
      // Restore the earlier names, but keep both folders until the next export: after a power cut,
      // either of them may be at the path.
      _ = replaces ? exchange(folder, path) : rename(path, folder) == 0
      throw error
    }
    if replaces { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Swaps two folders in one step, so that the path always leads to one of them.
  ///
  /// If the file system doesn't support this, there is no folder at the path for an instant.
  ///
  /// - Returns: A Boolean value that indicates whether the folders were swapped. If it is false,
  ///   nothing has changed and `errno` has the reason.
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
    // If this fails, the old folder keeps its name with `asideSuffix`.
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
        "\(path) is a mount point, which can't be replaced: name a folder in it"
      )
    }
    guard access(path, R_OK | W_OK | X_OK) == 0,
      let entries = try? FileManager.default.contentsOfDirectory(atPath: path)
    else { throw .file(path, "can't be replaced") }
    guard !entries.isEmpty else { return }
    guard entries.contains(where: Self.isMarker) else {
      throw StatusError(
        .failedPrecondition,
        "\(path) is not empty and contains no export: name another folder"
      )
    }
    if let first = entries.filter({ !isPart($0) }).min() {
      throw StatusError(
        .failedPrecondition,
        "\(path) contains \(first), which is not part of an export: move it, or name another folder"
      )
    }
  }

  private static let asideSuffix = ".old"

  private func beside(_ process: pid_t) -> String { "\(parent)/.\(name).export-\(process)" }

  /// Removes the temporary folders of emulators that were killed during an export.
  private func removeLeftovers() {
    let prefix = ".\(name).export-"
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      let isAside = entry.hasSuffix(Self.asideSuffix)
      let number = entry.dropFirst(prefix.count).dropLast(isAside ? Self.asideSuffix.count : 0)
      guard entry.hasPrefix(prefix), let process = pid_t(number),
        process == getpid() || kill(process, 0) != 0 && errno == ESRCH
      else { continue }
      let leftover = "\(parent)/\(entry)"
      // The emulator was killed between the two steps of a swap, so this folder is the export:
      // restore it.
      if isAside, access(path, F_OK) != 0, rename(leftover, path) == 0 { continue }
      try? FileManager.default.removeItem(atPath: leftover)
    }
  }
}
