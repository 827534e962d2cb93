import Core
import FunctionHost

/// The command that `exec` or `record` runs.
///
/// The command is in the same terminal and process group as this program, so that Ctrl-C reaches it
/// directly.
struct ForegroundCommand: Sendable {
  /// The program, then its arguments.
  var words: [String]
  var environment: [String: String]

  /// Runs the command and returns its exit code. If the task is cancelled, the command gets
  /// SIGTERM.
  ///
  /// - Throws: The error of `ChildProcess.spawn`.
  func run() async throws(StatusError) -> Int32 {
    let process = try spawn()
    return await withTaskCancellationHandler {
      await process.exitStatus().code
    } onCancel: {
      process.signal(SIGTERM)
    }
  }

  private func spawn() throws(StatusError) -> ChildProcess {
    do throws(StatusError) {
      return try ChildProcess.spawn(
        Command(
          executable: words[0],
          arguments: Array(words.dropFirst()),
          environment: environment
        ),
        standardInput: .inherit,
        standardOutput: .inherit,
        standardError: .inherit,
        newProcessGroup: false
      )
    } catch {
      guard error.code == .notFound, let meant = CommandSuggestion(command: words) else {
        throw error
      }
      throw StatusError(
        error.code,
        "\(error.message): write its words after --, without quotes around the whole command: \(meant)"
      )
    }
  }
}
