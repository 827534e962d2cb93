import ArgumentParser
import Core
import FunctionHost
import Recording
import Synchronization
import UnixSignals

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Write what the functions of a running emulator do as fixtures that can be replayed.",
    discussion: """
      A fixture is an invocation's event, the documents it read, the answers of providers, and what \
      came of it. It keeps names, texts and ids as they are: record made-up people, or keep the \
      folder to yourself. Device tokens are replaced; keys are never recorded. \
      Recording ends with Ctrl-C, after --count fixtures, or when the command after -- and all that \
      it caused have ended, with the command's exit code; with 1 if something could not be recorded.
      """
  )

  /// Of the hub.
  private static let route = "/_admin/recordings"

  /// How long to wait before the hub is asked again.
  private static let interval = Duration.milliseconds(100)

  @Argument(help: "The folder, made if it isn't there; each function has one of its own in it.")
  var folder: String

  @Option(help: "End after so many fixtures.")
  var count: Int?

  @Option(help: "Only invocations of this function.")
  var function: String?

  @Flag(help: "Has no effect: names, texts and ids are always kept.")
  var raw = false

  @OptionGroup var functions: ReplayFunctions

  @OptionGroup var projectOption: ProjectOption

  @Argument(parsing: .postTerminator, help: "A command to record, and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run() async throws {
    let console = Console(descriptor: STDERR_FILENO)
    let client = try await EmulatorClient(project: projectOption.project())
    let exitCode = try await functions.withEngine { engine in
      guard let id = try await client.send("POST", "hub", Self.route)["id"]?.string else {
        throw StatusError(.internal, "the hub began no recording")
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
      // A full disk ends it, too; the hub then finds out by itself.
      _ = try await client.send("DELETE", "hub", "\(Self.route)/\(id)")
      console.print(recorder.summary)
      return commandCode == 0 && recorder.hasFailures ? 1 : commandCode
    }
    Core.exit(exitCode)
  }

  /// - Returns: the command's exit code; 0 without one.
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
        // Until every function that it woke has ended.
        _ = try await client.send("GET", "ui", "/api/quiet", within: .seconds(600))
      }
      group.addTask {
        while !recorder.isFull {
          // Looked at first: what ended before is fetched after.
          let isLast = progress.isOver.load(ordering: .acquiring)
          let answer = try await client.send("GET", "hub", "\(Self.route)/\(id)")
          let recordings = answer["recordings"]?.array ?? []
          for recording in recordings { try await recorder.write(recording) }
          guard recordings.isEmpty else { continue }
          if isLast { return }
          try await Task.sleep(for: Self.interval)
        }
      }
      // Whichever ends first: with the count reached, nothing more is waited for.
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
