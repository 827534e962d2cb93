import CProcess
package import Core

/// A program run as a child of this process.
///
/// Releasing this object closes the pipes and leaves the child running; the child is reaped when it
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

  /// The process ID, which is also the ID of its group if it leads one.
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

  /// Starts a program with default signal handling and no open file but its standard streams.
  ///
  /// Adds SWIFT_BACKTRACE=enable=no to the environment unless it sets that variable. Without it, a
  /// Swift program that traps takes three seconds to end.
  ///
  /// - Parameters:
  ///   - newProcessGroup: Whether the child leads a process group of its own, so that signals reach
  ///     the whole group. Pass `false` for a command that shares our terminal: in a group of its
  ///     own it can't read from the terminal, and Ctrl-C doesn't reach it.
  ///   - endsDescendants: Whether the child's descendants are killed when it ends: its group, and
  ///     on Linux every process that inherited the variable FUNCTION_PROCESS from it, in any group
  ///     or session. Requires `newProcessGroup`.
  /// - Throws: An error that names the path: NOT_FOUND (the file, its interpreter or its directory
  ///   is missing), PERMISSION_DENIED (not executable), FAILED_PRECONDITION (neither a program nor
  ///   a script with a first line #!). INVALID_ARGUMENT if an argument, variable or directory
  ///   contains a NUL character or a variable's name is invalid. RESOURCE_EXHAUSTED when the system
  ///   is out of processes, files or memory.
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

  /// Writes all bytes to the child's input, and waits as long as the child takes to read them.
  ///
  /// The bytes of one call stay together when several tasks write.
  ///
  /// - Throws: UNAVAILABLE when the reading end is closed; FAILED_PRECONDITION when the input was
  ///   closed or isn't a pipe; CANCELLED when the task is cancelled. A write that fails halfway
  ///   closes the input.
  package func write(_ bytes: some Sequence<UInt8>) async throws(StatusError) {
    try await input.write(Array(bytes))
  }

  /// The number of bytes of input that the child hasn't read, even after it ended; 0 on systems
  /// that don't report it.
  package var unreadInput: Int { input.unreadCount }

  /// Closes the child's input after the write in progress.
  package func closeInput() {
    input.closeInput()
  }

  /// Stops waiting for pipes that other processes keep open after the child ended.
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
  /// Any number of tasks may call it, before and after the child ended. Cancelling the task doesn't
  /// end the wait; `terminateGroup` does.
  package func exitStatus() async -> ExitStatus {
    await exit.status()
  }

  /// Sends a signal to the child's group, or to the child if it leads none.
  ///
  /// Does nothing if they have ended.
  package func signal(_ number: Int32) {
    exit.signal(number)
  }

  /// Ends the child and its group: sends SIGTERM, and after `grace` SIGKILL to the processes that
  /// still run. Without grace it sends only SIGKILL.
  ///
  /// It also ends processes of the group that outlived the child, which closes the pipes they held
  /// open. A cancelled task still waits for the whole grace period. Processes that moved to another
  /// group keep running, unless the child was started with `endsDescendants`.
  @discardableResult
  package func terminateGroup(grace: Duration) async -> ExitStatus {
    // A new task, because sleeping in a cancelled task returns at once.
    await Task { [exit] in
      if grace > .zero, exit.signal(SIGTERM) {
        let deadline = ContinuousClock.now + grace
        let killing = Task {
          try await Task.sleep(until: deadline)
          exit.signal(SIGKILL)
        }
        _ = await exit.status()
        // The end of a process that isn't our child isn't reported, so poll for it.
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
