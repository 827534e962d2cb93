package import Core

/// The executables of this package, which the build puts next to the test bundle.
package enum Products {
  /// The names of this package's functions.
  package static let functions = [
    "translateMessage", "sendNotification", "analyzeMessage", "smartReplies", "askAI",
    "forgetUser", "trackOpen", "mirrorPresence", "mirrorMembership",
  ]
  /// The names of the functions that send requests to a provider.
  package static let paying = [
    "translateMessage", "sendNotification", "analyzeMessage", "smartReplies", "askAI",
  ]

  /// Returns the path of an executable.
  ///
  /// - Throws: `NOT_FOUND` with the searched folders if none has the executable.
  package static func path(of executable: String) throws(StatusError) -> String {
    for folder in folders {
      let path = "\(folder)/\(executable)"
      if access(path, X_OK) == 0 { return path }
    }
    throw StatusError(.notFound, "no \(executable) in \(folders.joined(separator: ", "))")
  }

  /// The folders to search.
  ///
  /// On Linux, the running program is the test bundle. On macOS, one of its arguments is the
  /// bundle's path.
  private static var folders: [String] {
    CommandLine.arguments.compactMap { argument in
      guard let bundle = argument.firstRange(of: ".xctest") else { return nil }
      let path = argument[..<bundle.lowerBound]
      return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
  }
}
