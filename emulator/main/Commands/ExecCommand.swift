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
    abstract: "Start an emulator, run a command with it, and stop it.",
    usage: "emulator exec [<options>] -- <command> ...",
    discussion: """
      Starts the emulator and runs the command with the environment variables that lead clients to \
      it. When the command has ended, waits until all functions that it triggered have ended, \
      retries included, and stops the emulator. The functions are on the command's PATH. The \
      values in firebase.json and .firebaserc of the working directory replace the defaults below.

      The exit code is the command's, except:
        3    the command ended with 0, but an event was dead-lettered, or was
             still undelivered when a signal came
        126  the command can't be run
        127  the command doesn't exist

      Examples:
        emulator exec -- npm test
        emulator exec --seed demo -- emulator events list
      """
  )

  /// The exit code if the command's was 0, but an event was dead-lettered or not delivered.
  static let deadLettered: Int32 = 3

  @OptionGroup var options: EmulatorOptions

  @Argument(parsing: .postTerminator, help: "Command to run, and its arguments.")
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError("a command is missing after --") }
  }

  func run() async throws {
    let console = Console(descriptor: STDERR_FILENO, isQuiet: options.services.quiet)
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
        // As in a shell, 127 means that the command doesn't exist, and 126 that it can't be run.
        console.warn("emulator: \(error.message)")
        exitCode.withLock { $0 = error.code == .notFound ? 127 : 126 }
        return
      }
      await emulator.dispatcher.quiet()
      let unfinished = emulator.dispatcher.unfinishedCount
      if unfinished > 0 {
        console.warn("interrupted: \(unfinished) deliveries had not finished")
      }
      let deadLetterCount = emulator.dispatcher.deadLetterCount
      let dead = emulator.dispatcher.deadLetters
      for delivery in dead {
        let tries = delivery.attemptCount > 1 ? " after \(delivery.attemptCount) attempts" : ""
        console.warn(
          "\(delivery.function) failed on \(delivery.event.path)\(tries): \(delivery.failure)"
        )
      }
      if deadLetterCount > dead.count {
        console.warn("\(deadLetterCount - dead.count) more deliveries failed before these")
      }
      exitCode.withLock {
        $0 = code == 0 && deadLetterCount + unfinished > 0 ? Self.deadLettered : code
      }
    }
    Core.exit(exitCode.withLock(\.self))
  }
}
