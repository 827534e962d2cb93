import ArgumentParser
import Core

/// The option `--project` of all commands except `start` and `exec`. In a command that `exec` runs,
/// the default is the project of `exec`'s emulator.
struct ProjectOption: ParsableArguments {
  @Option(
    name: .customLong("project"),
    help: ArgumentHelp(
      """
      Project id, or an alias in .firebaserc. \
      (default: $GOOGLE_CLOUD_PROJECT, else .firebaserc's, else demo-worldchat)
      """,
      valueName: "id"
    )
  )
  private var given: String?

  /// Returns the project id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if `--project` can't be a project's id or .firebaserc
  ///   can't be read.
  func project() throws(StatusError) -> String {
    let aliases = try ProjectAliases(folder: Executable.workingDirectory)
    if let given, let id = try aliases.project(given) {
      if let warning = aliases.warning(of: given) {
        Console(descriptor: STDERR_FILENO).warn("emulator: \(warning)")
      }
      return id
    }
    // `exec` sets this variable for its command.
    if let name = ProcessInfo.processInfo.environment["GOOGLE_CLOUD_PROJECT"], !name.isEmpty {
      return name
    }
    return try aliases.project(nil) ?? EmulatorConfiguration.defaultProject
  }
}
