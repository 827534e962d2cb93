extension String {
  /// The folder of a path; of a name alone, the working one.
  package var directory: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The path as it is, or as seen from a folder.
  package func absolutePath(in folder: String) -> String {
    hasPrefix("/") ? self : "\(folder)/\(self)"
  }

  /// The absolute path without links; nil if nothing is there.
  package var resolvedPath: String? {
    guard let resolved = realpath(self, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension stat {
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
