import ArgumentParser
import Core
import Foundation
import FunctionHost
import FunctionRuntime
import Logging

/// A function behind HTTP: the contract of Google's Functions Framework around the worker protocol.
@main struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves one function over HTTP, as Cloud Run wants it.",
    discussion: """
      Takes CloudEvents, Firebase's callable protocol and bare JSON. What is answered to what, the \
      variables and the limits: Functions/SERVE.md.
      """
  )

  @Argument(help: "The function: an executable that answers --describe.")
  var function: String

  @Option(help: "The port; 0 picks a free one. Default $PORT, else 8080.")
  var port: Int?

  @Option(help: "The address to listen on.")
  var host = "0.0.0.0"

  @Option(help: "Events and calls at once. Default $FUNCTION_CONCURRENCY, else the manifest's.")
  var concurrency: Int?

  @Option(help: "How many may wait beside them. Default $FUNCTION_QUEUE, else four times as many.")
  var queue: Int?

  @Option(help: "Seconds that requests under way have after SIGTERM.")
  var drain = 8.0

  @Option(help: "Written when it accepts: a JSON object with host and port.")
  var readyFile: String?

  /// Parses, runs and exits. A failure is one line on stderr, its code that of sysexits.h.
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
