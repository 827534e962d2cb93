import Core

/// A program to run and everything it is given.
package struct Command: Sendable, Hashable {
  /// A path, or a bare name to look up in the PATH of `environment`.
  ///
  /// A relative path starts at `workingDirectory`.
  package var executable: String
  /// What follows the program's name.
  package var arguments: [String]
  /// All the child sees, but for SWIFT_BACKTRACE; see `ChildProcess.spawn`.
  package var environment: [String: String]
  /// Where the child starts; nil for this process's directory.
  package var workingDirectory: String?

  package init(
    executable: String,
    arguments: [String] = [],
    environment: [String: String],
    workingDirectory: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
  }

  /// The absolute path of the file to execute.
  ///
  /// Absolute, because systems differ on whether a relative one is looked up before or after
  /// the change of directory.
  ///
  /// - Throws: NOT_FOUND when no directory of PATH has the name, PERMISSION_DENIED when one has
  ///   it as a file that can't be executed.
  func executablePath() throws(StatusError) -> String {
    let current = FileManager.default.currentDirectoryPath
    let directory = workingDirectory.map { $0.absolutePath(in: current) } ?? current
    if executable.contains("/") {
      return executable.absolutePath(in: directory)
    }
    var refused: String?
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    for entry in path.split(separator: ":", omittingEmptySubsequences: false) {
      let candidate = executable.absolutePath(in: String(entry).absolutePath(in: directory))
      guard isFile(candidate) else { continue }
      if access(candidate, X_OK) == 0 { return candidate }
      refused = refused ?? candidate
    }
    if let refused {
      throw StatusError(.permissionDenied, "\(refused) is not executable")
    }
    throw StatusError(.notFound, "\(executable) is in no directory of PATH")
  }
}

private func isFile(_ path: String) -> Bool {
  var information = stat()
  return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
}
