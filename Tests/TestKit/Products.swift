package import Core

/// The executables of this package, which the build puts next to the test bundle.
package enum Products {
  /// The names of our functions.
  package static let functions = [
    "translateMessage", "sendNotification", "analyzeMessage", "smartReplies", "askAI",
    "forgetUser",
  ]
  /// The functions that call a provider.
  package static let paying = functions.filter { $0 != "forgetUser" }

  /// Returns the path of an executable.
  ///
  /// - Throws: `NOT_FOUND` with the folders that were searched.
  package static func path(of executable: String) throws(StatusError) -> String {
    for folder in folders {
      let path = "\(folder)/\(executable)"
      if access(path, X_OK) == 0 { return path }
    }
    throw StatusError(.notFound, "no \(executable) in \(folders.joined(separator: ", "))")
  }

  /// The folders to search. On Linux the test bundle is the running program; on macOS an argument
  /// names it.
  private static var folders: [String] {
    CommandLine.arguments.compactMap { argument in
      guard let bundle = argument.firstRange(of: ".xctest") else { return nil }
      let path = argument[..<bundle.lowerBound]
      return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
  }
}
