import ArgumentParser
import Core
import Foundation
import FunctionHost

/// The emulator's root command.
@main struct EmulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulator",
    abstract: "Run WorldChat's Firebase backend on your machine.",
    discussion: """
      Serves Firestore to clients, turns document changes into events and runs the functions on \
      them. Fakes take the place of the providers that functions call: Translation, FCM and language \
      models. Ports, environment variables and firebase.json are those of Firebase's own emulators.

      Examples:
        emulator start --seed demo
        emulator exec -- npm test
        emulator events list --state deadLettered
      """,
    version: EmulatorVersion.current,
    subcommands: [
      StartCommand.self, ExecCommand.self, TokenCommand.self, GenerateEventCommand.self,
      ExportCommand.self, ImportCommand.self, ClearCommand.self, EventsCommand.self,
      WhyCommand.self, LogsCommand.self, StatusCommand.self, RecordCommand.self, ReplayCommand.self,
      RulesCommand.self,
    ]
  )

  /// Parses the arguments, runs the command, and exits. An error is printed to stderr as one
  /// sentence.
  static func main() async {
    ignoreBrokenPipes()
    keepStandardStreams()
    FileLimit.raise()
    if let shortage = FileLimit.shortage { fail(shortage, code: 1) }
    do {
      var command = try parse()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      // Flush the rest of stdout's buffer.
      if fflush(nil) != 0 { fail("stdout can't be written: \(lastSystemError())", code: 1) }
    } catch let error as StatusError {
      fail(error.message, code: error.isAboutOption ? ExitCode.validationFailure.rawValue : 1)
    } catch {
      exit(withError: error)
    }
  }

  /// Parses the arguments.
  ///
  /// - Throws: `INVALID_ARGUMENT` if `--` is missing in front of `exec`'s command, or the error of
  ///   the parser, with the command that was probably meant by an unknown one.
  private static func parse() throws -> any ParsableCommand {
    do {
      return try parseAsRoot()
    } catch {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard exitCode(for: error) != .success else { throw error }
      if let meant = CommandSuggestion(arguments, isValid: { (try? parseAsRoot($0)) != nil }) {
        throw StatusError(.invalidArgument, "-- is missing in front of the command: \(meant)")
      }
      throw misspelling(in: arguments) ?? error
    }
  }

  /// Returns an error that names the command that was probably meant by an unknown one, or `nil` if
  /// the commands are known or none is near.
  private static func misspelling(in arguments: [String]) -> ValidationError? {
    var subcommands = configuration.subcommands
    for word in arguments {
      if let known = subcommands.first(where: { $0._commandName.hasSameBytes(as: word) }) {
        subcommands = known.configuration.subcommands
        continue
      }
      return word.nearest(of: subcommands.map { $0._commandName }).map { meant in
        ValidationError(
          "Unexpected argument '\(word.escapedForTerminal)'. Did you mean '\(meant)'?"
        )
      }
    }
    return nil
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    writeAll("emulator: \(message)\n".utf8, to: STDERR_FILENO)
    Core.exit(code)
  }
}

extension StatusError {
  /// A Boolean value that indicates whether the error is about an option's value. The message of such
  /// an error begins with the option. The exit code is 64, as for an unknown option.
  fileprivate var isAboutOption: Bool { code == .invalidArgument && message.hasPrefix("--") }
}
