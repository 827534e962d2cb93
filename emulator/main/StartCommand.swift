import ArgumentParser
import Core
import ServiceLifecycle

struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start the emulator and keep it running until Ctrl-C."
  )

  @OptionGroup var options: EmulatorOptions

  func run() async throws {
    let console = Console(descriptor: STDOUT_FILENO)
    let configuration = try EmulatorConfiguration(
      options,
      folder: Executable.workingDirectory,
      executable: Executable.path
    )
    try await Emulator(configuration, console: console).run { emulator in
      if configuration.seedsDemo {
        try await Demo(emulator).run(console, keepsRunning: true)
        console.print("Running. Ctrl-C ends it.")
      }
      // Until a signal cancels this.
      let forever = AsyncStream<Never> { _ in }
      for await _ in forever {}
    }
  }
}

/// This program's own place.
enum Executable {
  /// The emulator's file; symbolic links are followed, so that functions are found beside it.
  static var path: String {
    let argument = CommandLine.arguments.first ?? "emulator"
    return "/proc/self/exe".resolvedPath ?? argument.resolvedPath ?? argument
  }

  /// The project's programs that aren't functions, which a build folder holds beside the functions.
  static var programs: Set<String> {
    let folder = path.directory
    let names = ["serve", "echoServer", "listenLoad"]
    return Set([path] + names.map { "\(folder)/\($0)" })
  }

  static var workingDirectory: String { FileManager.default.currentDirectoryPath }
}
