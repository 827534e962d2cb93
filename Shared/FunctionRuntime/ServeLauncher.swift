import Core

/// The mode `--serve`, which replaces this process by the program `serve` in the same folder.
/// `serve` accepts HTTP requests, and runs this function's program as its workers.
enum ServeLauncher {
  /// Replaces this process by `serve`. If that fails, throws an error.
  ///
  /// - Parameter options: The options of `serve`.
  /// - Throws: A configuration error that names the path of `serve`.
  static func launch(options: [String]) throws(StatusError) -> Never {
    guard let function = executablePath else {
      throw .configuration(.notFound, "--serve: the path of this program is unknown")
    }
    let server = "\(function.directory)/serve"
    var arguments = ([server, function] + options).map { strdup($0) }
    arguments.append(nil)
    execv(server, arguments)
    let problem = lastSystemError()
    throw .configuration(
      .notFound,
      "--serve needs the program serve in the folder of this one, but \(server) can't be run: "
        + "\(problem): build it with: swift build --product serve"
    )
  }
}
