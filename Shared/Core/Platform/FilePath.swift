extension String {
  /// The folder of a path; `.` for a name alone.
  package var directory: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// Returns the path if it is absolute, or else the path within a folder.
  package func absolutePath(in folder: String) -> String {
    hasPrefix("/") ? self : "\(folder)/\(self)"
  }

  /// The absolute path without symbolic links, or `nil` if nothing exists there.
  package var resolvedPath: String? {
    guard let resolved = realpath(self, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension stat {
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
