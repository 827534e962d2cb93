import Core
import FirestoreModel
import Logging

extension Function {
  /// Runs the function's command line.
  ///
  /// - no argument: reads one event from stdin, prints one result line, exits with an `ExitCode`
  /// - `--worker`: handles events line by line until EOF or SIGTERM
  /// - `--describe`: prints the manifest
  /// - `--serve`: replaces this process by the program `serve`, which serves the function over HTTP
  /// - `--help`: prints the usage
  @concurrent
  package static func main() async {
    ignoreBrokenPipes()
    keepStandardStreams()
    let configuration = Configuration.process
    let arguments = CommandLine.arguments.dropFirst()
    let name = executableName
    let logger = Logger(label: name) { _ in JSONLogHandler(function: name, configuration) }
    let output = StandardOutput(logger: logger)
    do {
      if arguments.first == "--serve" {
        try ServeLauncher.launch(options: Array(arguments.dropFirst()))
      }
      // The help needs no configuration.
      if [["-h"], ["--help"]].contains(Array(arguments)) {
        output.print(Data(FunctionHelp.text(for: name).utf8))
        exit(ExitCode.ok.rawValue)
      }
      let runner = try FunctionRunner<Self>(configuration: configuration, logger: logger)
      switch Array(arguments) {
      case []:
        let reply = await withTaskExecutorPreference(runner.executor) {
          await runner.runOnce(configuration)
        }
        output.exit(with: reply)
      case ["--worker"]:
        await withTaskExecutorPreference(runner.executor) {
          await runner.runWorker(output: output)
        }
        exit(ExitCode.ok.rawValue)
      case ["--describe"]:
        output.print(try JSON.encode(runner.manifest))
        exit(ExitCode.ok.rawValue)
      default:
        let error = StatusError(
          .invalidArgument,
          "usage: \(name) [--worker | --describe | --serve | --help]"
        )
        output.exit(with: FunctionReply(function: name, error: error, exitCode: .usage))
      }
    } catch {
      let failure = error as? StatusError ?? StatusError(.internal, "\(error)")
      output.exit(with: FunctionReply(function: name, error: failure))
    }
  }

  private static var executableName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "\(Self.self)"
  }
}

extension FunctionRunner {
  fileprivate func runOnce(_ configuration: Configuration) async -> FunctionReply {
    // Report a configuration error before reading stdin, so that a missing key is reported even
    // without an event.
    if let error = configurationError {
      return FunctionReply(function: manifest.name, error: error)
    }
    do {
      let invocation = try Invocation(configuration)
      let input = try StandardInput.readAll(limit: Self.maximumEventBytes)
      return await reply(to: input, invocation: invocation)
    } catch {
      return FunctionReply(function: manifest.name, error: error)
    }
  }
}
