import Core
import FunctionHost

/// What a program that has ended leaves to look at.
package struct ProgramOutput: Sendable {
  /// As a shell shows it: 128 plus the signal, if one ended it.
  package var exitCode: Int32
  package var text: String
  package var errorText: String

  package var lines: [Substring] { text.split(separator: "\n") }
}

/// What becomes of a program's stdin after the input.
package enum InputEnd: Sendable {
  case closed
  /// Stays open until the program has ended: it must not wait for the end.
  case open
}

/// The variables every program is given: enough to find the usual tools, and nothing of the shell
/// the tests run in.
package let plainEnvironment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

/// Runs a program to its end.
///
/// - Parameter executable: a path, or the name of one of our products.
/// - Throws: `DEADLINE_EXCEEDED` if it takes longer than `limit`; it is killed then.
package func runProgram(
  _ executable: String,
  _ arguments: [String] = [],
  input: some Sequence<UInt8> & Sendable = [UInt8](),
  inputEnd: InputEnd = .closed,
  environment: [String: String] = plainEnvironment,
  workingDirectory: String? = nil,
  limit: Duration = .seconds(300)
) async throws -> ProgramOutput {
  let command = Command(
    executable: executable.hasPrefix("/") ? executable : try Products.path(of: executable),
    arguments: arguments,
    environment: environment,
    workingDirectory: workingDirectory
  )
  return try await Permits.programs.hold {
    try await run(command, input: Array(input), inputEnd: inputEnd, limit: limit)
  }
}

private func run(
  _ command: Command,
  input: [UInt8],
  inputEnd: InputEnd,
  limit: Duration
) async throws -> ProgramOutput {
  ignoreBrokenPipes()
  let process = try ChildProcess.spawn(command)
  let watchdog = Task {
    try await Task.sleep(for: limit)
    await process.terminateGroup(grace: .zero)
  }
  async let writing: Void = {
    // A program may end without reading all of it.
    try? await process.write(input)
    if inputEnd == .closed { process.closeInput() }
  }()
  async let errors = process.errorOutput.collect(limit: 64 << 20)
  let output = try await process.output.collect(limit: 64 << 20)
  let errorText = String(decoding: try await errors, as: UTF8.self)
  let status = await process.exitStatus()
  await writing
  watchdog.cancel()
  guard status != .signalled(SIGKILL) else {
    throw StatusError(.deadlineExceeded, "\(command.executable) did not end: \(errorText)")
  }
  return ProgramOutput(
    exitCode: status.code,
    text: String(decoding: output, as: UTF8.self),
    errorText: errorText
  )
}
