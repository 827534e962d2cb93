import Core

/// `--serve`: the same process becomes `serve`, the program beside this one that answers HTTP and
/// has this one as its workers.
enum ServeLauncher {
  /// Returns only if that fails.
  ///
  /// - Parameter options: those of `serve`.
  /// - Throws: a configuration error, saying where it was looked for.
  static func launch(options: [String]) throws(StatusError) -> Never {
    guard let function = executable else {
      throw .configuration(.notFound, "--serve: where this program lies can't be told")
    }
    let server = "\(function.directory)/serve"
    var arguments = ([server, function] + options).map { strdup($0) }
    arguments.append(nil)
    execv(server, arguments)
    throw .configuration(.notFound, "--serve needs \(server): \(lastSystemError())")
  }

  /// Linux tells it whatever the command line said.
  private static var executable: String? {
    if let path = "/proc/self/exe".resolvedPath { return path }
    guard let name = CommandLine.arguments.first else { return nil }
    if name.contains("/") { return name.resolvedPath }
    let folders = (Configuration.process["PATH"] ?? "").split(separator: ":")
    return folders.lazy.compactMap { "\($0)/\(name)".resolvedPath }.first
  }
}
