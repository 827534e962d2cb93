package import Core

/// The executables of this package, as the build has put them beside the test bundle.
package enum Products {
  /// Our functions.
  package static let functions = [
    "translateMessage", "sendNotification", "analyzeMessage", "smartReplies", "askAI",
    "forgetUser",
  ]
  /// Those that ask a provider for something.
  package static let paying = functions.filter { $0 != "forgetUser" }

  /// - Throws: `NOT_FOUND`, saying where it was looked for.
  package static func path(of executable: String) throws(StatusError) -> String {
    for folder in folders {
      let path = "\(folder)/\(executable)"
      if access(path, X_OK) == 0 { return path }
    }
    throw StatusError(.notFound, "no \(executable) in \(folders.joined(separator: ", "))")
  }

  /// The test bundle is the running program on Linux, and named in an argument on macOS.
  private static var folders: [String] {
    CommandLine.arguments.compactMap { argument in
      guard let bundle = argument.firstRange(of: ".xctest") else { return nil }
      let path = argument[..<bundle.lowerBound]
      return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
  }
}
