import CProcess
package import Core

/// A program run as a child of this process.
///
/// Letting go of it closes its pipes and leaves it running; it is reaped when it ends. Whoever
/// wants it gone calls `terminateGroup`.
package final class ChildProcess: Sendable {
  /// What one of a child's standard streams is connected to.
  package enum Stream: Sendable {
    /// A pipe of this object.
    case pipe
    /// The same as this process's.
    case inherit
    /// /dev/null.
    case null
  }

  /// What the child prints; at its end at once unless it is a pipe.
  package let output: PipeReader
  /// What the child prints to standard error; at its end at once unless it is a pipe.
  package let errorOutput: PipeReader
  private let input: PipeWriter
  private let exit: ProcessExit

  /// The number of the process, and of its group if it leads one.
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
  /// SWIFT_BACKTRACE=enable=no joins the environment unless it has that variable: else a Swift
  /// program that traps takes three seconds to end.
  ///
  /// - Parameters:
  ///   - newProcessGroup: whether the child leads a group of its own, which signals then reach as a
  ///     whole. A command that shares our terminal must not: it could no longer read from it, and
  ///     Ctrl-C would miss it.
  ///   - endsDescendants: whether what the child leaves behind is killed when it ends: its group, and
  ///     on Linux all that have the variable FUNCTION_PROCESS from it, whichever group or session they
  ///     went to. The child must lead a group then.
  /// - Throws: naming the path: NOT_FOUND (missing, or its interpreter or directory is),
  ///   PERMISSION_DENIED (not executable), FAILED_PRECONDITION (neither a program nor a script
  ///   with a first line #!). INVALID_ARGUMENT for what no program can be given.
  ///   RESOURCE_EXHAUSTED when the system is out of processes, files or memory.
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

  /// Writes all bytes to the child's input, waiting for it to read as long as that takes.
  ///
  /// What one call writes stays together, whoever else writes.
  ///
  /// - Throws: UNAVAILABLE when nobody reads any more, FAILED_PRECONDITION when the input was
  ///   closed or is no pipe, CANCELLED when the task is; a write that stopped half way closes the
  ///   input.
  package func write(_ bytes: some Sequence<UInt8>) async throws(StatusError) {
    try await input.write(Array(bytes))
  }

  /// How many bytes of its input the child hasn't read, also once it has ended; 0 where the system
  /// doesn't tell.
  package var unreadInput: Int { input.unreadCount }

  /// Ends the child's input once the write under way is through.
  package func closeInput() {
    input.closeInput()
  }

  /// Waits no longer for pipes that others keep open after the child ended: reads give what is
  /// there and then throw CANCELLED, writes throw UNAVAILABLE.
  package func abandonPipes() {
    input.abandon()
    output.abandon()
    errorOutput.abandon()
  }

  /// Whether the child has ended.
  package var hasEnded: Bool { exit.hasEnded }

  /// How the child ended, for any number of callers, before and after it did.
  ///
  /// Cancelling the task doesn't end the wait; `terminateGroup` does.
  package func exitStatus() async -> ExitStatus {
    await exit.status()
  }

  /// Sends a signal to the child's group, or to the child if it leads none. What has ended
  /// already gets nothing.
  package func signal(_ number: Int32) {
    exit.signal(number)
  }

  /// Ends the child and its group: SIGTERM, then SIGKILL for whatever is left after `grace`, or
  /// SIGKILL at once without any.
  ///
  /// Also ends what a child that is gone left running in its group, and with it the pipes that
  /// kept open. A cancelled task gets the whole grace too. A process that moved to another group
  /// is out of reach, unless the child was started with `endsDescendants`.
  @discardableResult
  package func terminateGroup(grace: Duration) async -> ExitStatus {
    // A task of its own: in a cancelled one, sleeping would end at once.
    await Task { [exit] in
      if grace > .zero, exit.signal(SIGTERM) {
        let deadline = ContinuousClock.now + grace
        let killing = Task {
          try await Task.sleep(until: deadline)
          exit.signal(SIGKILL)
        }
        _ = await exit.status()
        // Nothing tells when those end that aren't our children.
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
