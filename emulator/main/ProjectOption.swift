import ArgumentParser
import Core

/// The project a small command is about: that of the emulator around it, unless told otherwise.
struct ProjectOption: ParsableArguments {
  @Option(
    name: .customLong("project"),
    help: "Project id. Default: GOOGLE_CLOUD_PROJECT, .firebaserc's, demo-worldchat."
  )
  private var given: String?

  /// - Throws: `INVALID_ARGUMENT` if .firebaserc can't be read.
  func project() throws(StatusError) -> String {
    if let given { return given }
    // `exec` sets it for its command.
    if let name = ProcessInfo.processInfo.environment["GOOGLE_CLOUD_PROJECT"], !name.isEmpty {
      return name
    }
    return try FirebaseConfiguration.project(in: Executable.workingDirectory)
      ?? EmulatorConfiguration.defaultProject
  }
}
