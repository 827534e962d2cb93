import ArgumentParser
import Core

/// The option `--project` of all commands except `start` and `exec`. In a command that `exec` runs,
/// the default is the project of `exec`'s emulator.
struct ProjectOption: ParsableArguments {
  @Option(
    name: .customLong("project"),
    help: ArgumentHelp(
      "Project id. (default: $GOOGLE_CLOUD_PROJECT, else .firebaserc's, else demo-worldchat)",
      valueName: "id"
    )
  )
  private var given: String?

  /// Returns the project id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if .firebaserc can't be read.
  func project() throws(StatusError) -> String {
    if let given { return given }
    // `exec` sets this variable for its command.
    if let name = ProcessInfo.processInfo.environment["GOOGLE_CLOUD_PROJECT"], !name.isEmpty {
      return name
    }
    return try FirebaseConfiguration.project(in: Executable.workingDirectory)
      ?? EmulatorConfiguration.defaultProject
  }
}
