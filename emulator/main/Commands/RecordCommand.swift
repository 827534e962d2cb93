import ArgumentParser
import Core
import FunctionHost
import Recording
import Synchronization
import UnixSignals

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record function invocations as replayable fixtures.",
    usage: "emulator record <folder> [<options>] [-- <command> ...]",
    discussion: """
      Writes one fixture for each invocation of a running emulator's functions: the event, the \
      documents that were read, the providers' responses, and the result. `emulator replay` runs \
      the invocation again.

      Fixtures contain names, texts and ids as they are: use only made-up data, or keep the folder \
      private. Device tokens are replaced, and keys are never recorded.

      Recording ends with Ctrl-C, after --count fixtures, or when the command and all functions \
      that it triggered have ended. The exit code is the command's (0 without a command). If it \
      would be 0 but an invocation couldn't be recorded, it is 1.

      Examples:
        emulator record fixtures --count 10
        emulator record fixtures --function translateMessage -- npm test
      """
  )

  /// The hub's route.
  private static let route = "/_admin/recordings"

  /// The time between two requests to the hub.
  private static let interval = Duration.milliseconds(100)

  @Argument(help: "Folder for the fixtures, with a subfolder per function; created if missing.")
  var folder: String

  @Option(help: ArgumentHelp("Number of fixtures after which to stop.", valueName: "n"))
  var count: Int?

  @Option(help: ArgumentHelp("Record only this function.", valueName: "name"))
  var function: String?

  @Flag(help: "Ignored: names, texts and ids are always kept.")
  var raw = false

  @OptionGroup var functions: ReplayFunctions

  @OptionGroup var projectOption: ProjectOption

  @Argument(parsing: .postTerminator, help: "Command to run while recording, and its arguments.")
  var command: [String] = []

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run() async throws {
    let console = Console(descriptor: STDERR_FILENO)
    let client = try EmulatorClient(project: projectOption.project())
    let exitCode = try await functions.withEngine { engine in
      guard let id = try await client.send("POST", "hub", Self.route)["id"]?.string else {
        throw StatusError(.internal, "the hub started no recording: its response has no id")
      }
      console.print("recording to \(folder)")
      let recorder = FixtureWriter(
        folder: folder.absolutePath(in: Executable.workingDirectory),
        maker: FixtureMaker(engine),
        function: function,
        count: count,
        console: console
      )
      let commandCode = try await record(id, client, recorder)
      // If an error is thrown before this line, such as on a full disk, the hub ends the recording
      // by itself.
      _ = try await client.send("DELETE", "hub", "\(Self.route)/\(id)")
      console.print(recorder.summary)
      return commandCode == 0 && recorder.hasFailures ? 1 : commandCode
    }
    Core.exit(exitCode)
  }

  /// Writes fixtures until the recording is over, and returns the command's exit code, or 0 without
  /// a command.
  private func record(
    _ id: String,
    _ client: EmulatorClient,
    _ recorder: FixtureWriter
  ) async throws -> Int32 {
    let progress = Progress()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { progress.isOver.store(true, ordering: .releasing) }
        guard !command.isEmpty else { return await Self.untilSignal() }
        let code = try await ForegroundCommand(
          words: command,
          environment: ProcessInfo.processInfo.environment
        ).run()
        progress.commandCode.store(code, ordering: .relaxed)
        // Wait until every function that the command triggered has ended.
        _ = try await client.send("GET", "ui", "/api/quiet", within: .seconds(600))
      }
      group.addTask {
        while !recorder.isFull {
          // Read the flag before the fetch. If it is set, the fetch includes all invocations.
          let isLast = progress.isOver.load(ordering: .acquiring)
          let answer = try await client.send("GET", "hub", "\(Self.route)/\(id)")
          let recordings = answer["recordings"]?.array ?? []
          for recording in recordings { try await recorder.write(recording) }
          guard recordings.isEmpty else { continue }
          if isLast { return }
          try await Task.sleep(for: Self.interval)
        }
      }
      // When the count is reached, stop the command instead of waiting for it.
      try await group.next()
      if recorder.isFull { group.cancelAll() }
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
      return progress.commandCode.load(ordering: .relaxed)
    }
  }

  private final class Progress: Sendable {
    let commandCode = Atomic<Int32>(0)
    let isOver = Atomic(false)
  }

  private static func untilSignal() async {
    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) { return }
  }
}
