import CProcess
package import Core

/// A program run as a child of this process.
///
/// Releasing this object closes the pipes but leaves the child running. The child is reaped when it
/// ends. Call `terminateGroup` to end it.
package final class ChildProcess: Sendable {
  /// The connection of one of a child's standard streams.
  package enum Stream: Sendable {
    /// A pipe that this object reads or writes.
    case pipe
    /// The same stream as this process's.
    case inherit
    /// The null device, /dev/null.
    case null
  }

  /// The child's standard output; empty unless it is a pipe.
  package let output: PipeReader
  /// The child's standard error; empty unless it is a pipe.
  package let errorOutput: PipeReader
  private let input: PipeWriter
  private let exit: ProcessExit

  /// The child's process ID. If the child leads a process group, it is also the group's ID.
  package var processIdentifier: Int32 { exit.processIdentifier }

  private init(
    input: PipeWriter,
    output: PipeReader,
    errorOutput: PipeReader,
    exit: ProcessExit
  ) {
    self.input = input
    self.output = output
    self.errorOutput = errorOutput
    self.exit = exit
  }

  /// Starts a program with default signal handling and only its standard streams open.
  ///
  /// If the command doesn't set the variable SWIFT_BACKTRACE, it is set to `enable=no`: otherwise a
  /// Swift program that crashes takes three seconds to end.
  ///
  /// - Parameters:
  ///   - newProcessGroup: Whether the child leads a new process group, so that signals reach the
  ///     whole group. Pass `false` for a command that uses this process's terminal: in another
  ///     group it couldn't read from the terminal, and Ctrl-C wouldn't reach it.
  ///   - endsDescendants: Whether the child's descendants are killed when the child ends: its
  ///     group, and on Linux every process that inherited the variable FUNCTION_PROCESS from the
  ///     child, in any group or session. Requires `newProcessGroup`.
  /// - Throws: An error that names the path: NOT_FOUND (the file, its interpreter or its directory
  ///   is missing), PERMISSION_DENIED (not executable), FAILED_PRECONDITION (neither a program nor
  ///   a script with a first line #!). INVALID_ARGUMENT if an argument, variable or directory
  ///   contains a NUL character, or a variable's name is invalid. RESOURCE_EXHAUSTED when the
  ///   system is out of processes, files or memory.
  package static func spawn(
    _ command: Command,
    standardInput: Stream = .pipe,
    standardOutput: Stream = .pipe,
    standardError: Stream = .pipe,
    newProcessGroup: Bool = true,
    endsDescendants: Bool = false
  ) throws(StatusError) -> ChildProcess {
    let path = try command.executablePath()
    var environment = command.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { own, _ in
      own
    }
    let mark = endsDescendants ? DescendantMark() : nil
    if let mark { environment[DescendantMark.variable] = mark.value }
    let arguments = [command.executable] + command.arguments
    let variables = environment.map { name, value in "\(name)=\(value)" }
    try checkGivable(command, arguments: arguments, environment: environment)

    let input = try StandardStream(standardInput, childReads: true)
    let output = try StandardStream(standardOutput, childReads: false)
    let errorOutput = try StandardStream(standardError, childReads: false)

    var processIdentifier: pid_t = 0
    let error = withExtendedLifetime((input, output, errorOutput)) {
      withCStrings(arguments) { arguments in
        withCStrings(variables) { variables in
          cprocess_spawn(
            &processIdentifier,
            path,
            arguments,
            variables,
            command.workingDirectory,
            [input.number, output.number, errorOutput.number],
            newProcessGroup
          )
        }
      }
    }
    guard error == 0 else { throw spawnError(error, path, command) }
    return ChildProcess(
      input: PipeWriter(input.ours),
      output: PipeReader(output.ours),
      errorOutput: PipeReader(errorOutput.ours),
      exit: try ProcessExit(processIdentifier, leadsGroup: newProcessGroup, mark: mark)
    )
  }

  /// Writes all bytes to the child's input. Waits while the pipe is full.
  ///
  /// If several tasks write, the bytes of one call stay together.
  ///
  /// - Throws: UNAVAILABLE when the reading end is closed; FAILED_PRECONDITION when the input was
  ///   closed or isn't a pipe; CANCELLED when the task is cancelled. A write that fails halfway
  ///   closes the input.
  package func write(_ bytes: some Sequence<UInt8>) async throws(StatusError) {
    try await input.write(Array(bytes))
  }

  /// The number of bytes of input that the child hasn't read. It remains available after the child
  /// has ended, and is 0 on systems that don't report it.
  package var unreadInput: Int { input.unreadCount }

  /// Closes the child's input, after a write in progress has finished.
  package func closeInput() {
    input.closeInput()
  }

  /// Ends all waits for pipes. Call it if other processes keep the pipes open after the child has
  /// ended.
  ///
  /// Reads return the bytes that have arrived and then throw CANCELLED; writes throw UNAVAILABLE.
  package func abandonPipes() {
    input.abandon()
    output.abandon()
    errorOutput.abandon()
  }

  /// A Boolean value that indicates whether the child has ended.
  package var hasEnded: Bool { exit.hasEnded }

  /// Waits until the child ends, and returns its exit status.
  ///
  /// Any number of tasks may call it, before and after the end. Cancelling the task doesn't end the
  /// wait.
  package func exitStatus() async -> ExitStatus {
    await exit.status()
  }

  /// Sends a signal to the child's group, or to the child alone if it doesn't lead a group.
  ///
  /// Does nothing if all these processes have ended.
  package func signal(_ number: Int32) {
    exit.signal(number)
  }

  /// Ends the child and its group. Sends SIGTERM, and after the time `grace` SIGKILL to the
  /// processes that still run. If `grace` is zero, sends only SIGKILL.
  ///
  /// This also ends processes of the group that outlived the child, and so closes the pipes that
  /// they kept open. Processes that moved to another group keep running, unless the child was
  /// started with `endsDescendants`. A cancelled task still waits for the whole time `grace`.
  @discardableResult
  package func terminateGroup(grace: Duration) async -> ExitStatus {
    // Use a new task, because sleeping in a cancelled task returns at once.
    await Task { [exit] in
      if grace > .zero, exit.signal(SIGTERM) {
        let deadline = ContinuousClock.now + grace
        let killing = Task {
          try await Task.sleep(until: deadline)
          exit.signal(SIGKILL)
        }
        _ = await exit.status()
        // The system doesn't report when the child's own children end, so poll until the whole
        // group has ended.
        while ContinuousClock.now < deadline, exit.signal(0) {
          try? await Task.sleep(for: .milliseconds(10))
        }
        killing.cancel()
      }
      exit.signal(SIGKILL)
      return await exit.status()
    }.value
  }
}
