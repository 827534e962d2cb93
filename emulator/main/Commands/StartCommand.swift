import ArgumentParser
import Core
import ServiceLifecycle

struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start the emulator and run it until Ctrl-C.",
    usage: "emulator start [<options>]",
    discussion: """
      Starts Firestore, Authentication, the Realtime Database, the functions, the browser pages \
      and the hub, and prints their addresses. The values in firebase.json and .firebaserc of the \
      working directory replace the defaults below.

      Examples:
        emulator start --seed demo
        emulator start --data ./data --export-on-exit ./backup
        emulator start --retry production --time-scale 60
      """
  )

  @OptionGroup var options: EmulatorOptions

  func run() async throws {
    let console = Console(descriptor: STDOUT_FILENO, isQuiet: options.services.quiet)
    let configuration = try EmulatorConfiguration(
      options,
      folder: Executable.workingDirectory,
      executable: Executable.path
    )
    let emulator = Emulator(configuration, console: console, showsDeliveries: true)
    try await emulator.run { emulator in
      if configuration.seedsDemo { try await Demo(emulator).run(console, keepsRunning: true) }
      // The demo prints its own deliveries.
      let output =
        emulator.seedOutput ?? DeliveryOutput(dispatcher: emulator.dispatcher, console: console)
      // A signal cancels this.
      await output.run()
    }
  }
}

/// The paths of this executable and of the programs in its folder.
enum Executable {
  /// The path of the emulator's file, with symbolic links resolved, so that functions are found
  /// beside it.
  static var path: String { executablePath ?? CommandLine.arguments.first ?? "emulator" }

  /// The paths of this project's programs in the build folder that aren't functions.
  static var programs: Set<String> {
    let folder = path.directory
    let names = ["serve", "echoServer", "listenLoad"]
    return Set([path] + names.map { "\(folder)/\($0)" })
  }

  static var workingDirectory: String { FileManager.default.currentDirectoryPath }
}
