import ArgumentParser
import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Synchronization

struct ExecCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Start the emulator, run a command in its environment, end with its exit code.",
    discussion: """
      Waits until every function that the command's writes woke has ended, retries included. The
      exit code is the command's; 3 if it was 0 and an event was
      dead-lettered or not yet delivered when a signal came; 127 if there is no
      such command.
      """
  )

  /// What `exec` ends with when the command was content and a function gave up an event.
  static let deadLettered: Int32 = 3

  @OptionGroup var options: EmulatorOptions

  @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("a command is missing after --") }
  }

  func run() async throws {
    let console = Console(descriptor: STDERR_FILENO)
    let configuration = try EmulatorConfiguration(
      options,
      folder: Executable.workingDirectory,
      executable: Executable.path
    )
    let exitCode = Mutex<Int32>(1)
    try await Emulator(configuration, console: console).run { emulator in
      if configuration.seedsDemo { try await Demo(emulator).run(console, keepsRunning: false) }
      let code: Int32
      do throws(StatusError) {
        code = try await ForegroundCommand(words: command, environment: emulator.environment).run()
      } catch {
        // As a shell says that there is no such command, or that it is none.
        console.print("emulator: \(error.message)")
        exitCode.withLock { $0 = error.code == .notFound ? 127 : 126 }
        return
      }
      await emulator.dispatcher.quiet()
      let unfinished = emulator.dispatcher.unfinishedCount
      if unfinished > 0 {
        console.print("interrupted: \(unfinished) deliveries had not ended")
      }
      let deadLetterCount = emulator.dispatcher.deadLetterCount
      let dead = emulator.dispatcher.deadLetters
      for delivery in dead {
        let error = delivery.result?.error.map(String.init(describing:)) ?? "no result"
        let tries = delivery.attemptCount > 1 ? " after \(delivery.attemptCount) attempts" : ""
        console.print(
          "\(delivery.function) failed on \(delivery.event.document.path)\(tries): \(error)"
        )
      }
      if deadLetterCount > dead.count {
        console.print("\(deadLetterCount - dead.count) more failed before these")
      }
      exitCode.withLock {
        $0 = code == 0 && deadLetterCount + unfinished > 0 ? Self.deadLettered : code
      }
    }
    Core.exit(exitCode.withLock(\.self))
  }
}
