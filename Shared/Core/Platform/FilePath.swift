extension String {
  /// The path of the folder that contains the file; `.` for a name without a folder.
  package var directory: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// Returns the path if it is absolute; otherwise the path relative to a folder.
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
