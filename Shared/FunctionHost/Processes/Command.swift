import Core

/// A program with its arguments, environment and working directory.
package struct Command: Sendable, Hashable {
  /// The program: a path, or a name without slashes, which is looked up in the PATH of
  /// `environment`.
  ///
  /// A relative path is relative to `workingDirectory`.
  package var executable: String
  /// The arguments after the program's name.
  package var arguments: [String]
  /// The child's whole environment, except for SWIFT_BACKTRACE; see `ChildProcess.spawn`.
  package var environment: [String: String]
  /// The child's working directory, or `nil` for this process's.
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

  /// Returns the absolute path of the file to execute.
  ///
  /// The path is absolute because systems differ: some resolve a relative path before they change
  /// the directory, others after.
  ///
  /// - Throws: NOT_FOUND when no directory of PATH contains the name; PERMISSION_DENIED when PATH
  ///   has only a file of that name that isn't executable.
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
    throw StatusError(.notFound, "\(executable) not found in PATH")
  }
}

private func isFile(_ path: String) -> Bool {
  var information = stat()
  return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
}
