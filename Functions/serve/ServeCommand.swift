import ArgumentParser
import Core
import Foundation
import FunctionHost
import FunctionRuntime
import Logging

/// The command that serves one function over HTTP.
///
/// It implements the contract of Google's Functions Framework on top of the worker protocol.
@main struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve one function over HTTP, as Cloud Run requires.",
    discussion: """
      Accepts CloudEvents, Firebase's callable protocol and bare JSON. Functions/SERVE.md has the \
      responses, variables and limits.
      """
  )

  @Argument(help: "The path of the function, an executable that supports --describe.")
  var function: String

  @Option(help: "The port; 0 picks a free one. Default: $PORT, or 8080.")
  var port: Int?

  @Option(help: "The address to listen on.")
  var host = "0.0.0.0"

  @Option(
    help: """
      Maximum number of invocations at once. Default: $FUNCTION_CONCURRENCY, or the manifest's.
      """
  )
  var concurrency: Int?

  @Option(
    help: """
      Maximum number of invocations that wait; more are refused. Default: $FUNCTION_QUEUE, or 4 \
      times the concurrency.
      """
  )
  var queue: Int?

  @Option(help: "Seconds after SIGTERM for running requests to finish.")
  var drain = 8.0

  @Option(help: "Write a JSON object with host and port to this file when the port is open.")
  var readyFile: String?

  /// Parses the arguments, runs the command and exits.
  ///
  /// A failure writes one line to stderr and exits with a code from sysexits.h.
  static func main() async {
    ignoreBrokenPipes()
    keepStandardStreams()
    do {
      let command = try parse()
      do {
        try await command.run()
      } catch let error as StatusError {
        let configuration = Configuration.process
        Logger(label: "serve") { _ in JSONLogHandler(function: "serve", configuration) }
          .critical("\(error.message)", metadata: ["code": "\(error.code.rawValue)"])
        Core.exit(ExitCode(error).rawValue)
      }
    } catch {
      exit(withError: error)
    }
  }

  func run() async throws {
    let settings = try ServeSettings(self, Configuration.process)
    try await FunctionServer(settings).run()
  }
}
