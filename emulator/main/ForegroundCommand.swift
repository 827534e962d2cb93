import Core
import FunctionHost

/// A command that `exec` and `record` run: it shares our terminal and our process group, so that
/// Ctrl-C reaches it by itself.
struct ForegroundCommand: Sendable {
  /// The program, then its arguments.
  var words: [String]
  var environment: [String: String]

  /// Returns its exit code. If the task is cancelled, the command is asked to end.
  ///
  /// - Throws: as `ChildProcess.spawn` does.
  func run() async throws(StatusError) -> Int32 {
    let process = try ChildProcess.spawn(
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
    return await withTaskCancellationHandler {
      await process.exitStatus().code
    } onCancel: {
      process.signal(SIGTERM)
    }
  }
}
