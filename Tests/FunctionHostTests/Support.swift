import Core
import FunctionHost
import Testing

/// The environment of child processes: enough to find the usual tools, and nothing else.
let searchPath = ["PATH": "/usr/bin:/bin"]

/// Returns a shell command that runs a script. The arguments are `$1`, `$2` and so on.
func shell(_ script: String, _ arguments: String...) -> Command {
  Command(
    executable: "/bin/sh",
    arguments: ["-c", script, "sh"] + arguments,
    environment: searchPath
  )
}

/// Starts a child process. Writes to closed pipes become errors, as in the emulator, and don't end
/// the test process.
func spawn(_ command: Command) throws(StatusError) -> ChildProcess {
  ignoreBrokenPipes()
  return try ChildProcess.spawn(command)
}

/// Closes a command's stdin at once, and returns its stdout.
func printed(by command: Command) async throws -> String {
  let child = try spawn(command)
  child.closeInput()
  let output = try await child.output.collect(limit: 1_000_000)
  let errors = try await child.errorOutput.collect(limit: 1_000_000)
  #expect(String(decoding: errors, as: UTF8.self) == "")
  #expect(await child.exitStatus() == .exited(0))
  return String(decoding: output, as: UTF8.self)
}

extension ChildProcess {
  /// Returns the next line of stdout as text, or `nil` at its end.
  func nextLine() async throws -> String? {
    try await output.nextLine(maximumLength: 4_000_000).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Returns this process's open pipe ends.
///
/// Other files don't count, because the test library opens and closes some.
func openPipes() -> Set<Int32> {
  Set(
    (0..<4096).filter { descriptor in
      var information = stat()
      return fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
    }
  )
}

/// Returns the code of the error that `body` throws, or `nil` if it succeeds.
func codeThrown(by body: () async throws(StatusError) -> Void) async -> StatusCode? {
  do throws(StatusError) {
    try await body()
    return nil
  } catch {
    return error.code
  }
}
