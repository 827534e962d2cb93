package import Core

/// The folder with the content of objects. Each generation of an object has a file of its own, which
/// never changes.
package final class ObjectFolder: Sendable {
  let path: String
  /// A Boolean value that indicates whether content is synced to the disk, so that it survives a
  /// power cut.
  let isDurable: Bool

  /// Creates the folder if it doesn't exist, with access for its owner only.
  ///
  /// - Throws: `FAILED_PRECONDITION` if it can't be created.
  package init(_ path: String, isDurable: Bool) throws(StatusError) {
    self.path = path
    self.isDurable = isDurable
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw StatusError(.failedPrecondition, "\(path) can't be created: \(error)")
    }
  }

  /// Opens a file.
  func open(_ name: String, flags: Int32) throws(StorageError) -> OpenFile {
    guard let file = OpenFile(path(of: name), flags: flags) else {
      throw .file("the file of an object can't be opened")
    }
    return file
  }

  /// Returns the name of a new file.
  static func newName() -> String {
    let digits = (0..<2).map { _ in
      let text = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
    return digits.joined()
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Gives a file's content a second name, which stays when the first one is removed.
  func link(_ name: String, as new: String) throws(StorageError) {
    guard Core.link(path(of: name), path(of: new)) == 0 else {
      throw .file("an object's copy can't be made")
    }
  }

  func remove(_ name: String) { unlink(path(of: name)) }

  /// Syncs the names of files to the disk.
  func synchronize() throws(StorageError) {
    guard isDurable, !syncFolder(path) else { return }
    throw .file("\(path) can't be synced")
  }

  /// Returns the size of a file in bytes, or `nil` if there is no such file.
  func size(of name: String) -> Int64? {
    var information = stat()
    guard stat(path(of: name), &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(information.st_size)
  }

  /// Removes the files that a crash has left: those of uploads that were never answered, and of
  /// objects that were deleted or replaced.
  func removeAll(besides names: Set<String>) throws(StatusError) {
    guard let found = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw StatusError(.failedPrecondition, "\(path) can't be read")
    }
    for name in found where !names.contains(name) { remove(name) }
  }
}

extension StorageError {
  /// Returns the error of a file operation that failed, with the system's description of `errno`.
  static func file(_ problem: String) -> StorageError {
    let number = errno
    let message = "\(problem): \(lastSystemError())"
    if [ENOSPC, EDQUOT, EFBIG].contains(number) { return .diskFull(message) }
    return StorageError(StatusError(.internal, message))
  }
}
