import ArgumentParser
import Core
import Rules

struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Check security rules, and find what no request has decided.",
    subcommands: [Check.self, RulesCoverageCommand.self]
  )

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Find errors in security rules, and statements without effect.",
      usage: "emulator rules check <file> ... [--strict]",
      discussion: """
        Compiles rules of Firestore and Storage as Google does and prints each error and warning \
        with its file, line and column to stderr. Warnings are about unknown names, wrong types, \
        unused functions, and statements that no request reaches.

        The exit code is 1 if a file can't be read or has an error, else 0.

        Examples:
          emulator rules check firestore.rules
          emulator rules check --strict firestore.rules storage.rules
          emulator rules check - < firestore.rules
        """
    )

    @Argument(help: "Files of rules; - is standard input.")
    var file: [String]

    @Flag(help: "Exit with 1 for warnings, too.")
    var strict = false

    func run() throws {
      var hasFailed = false
      for name in file {
        let source: String
        do throws(StatusError) {
          source = try text(of: name)
        } catch {
          report("error: \(error.message)")
          hasFailed = true
          continue
        }
        for issue in Ruleset.lint(source) {
          report(issue.line(in: name == "-" ? "<stdin>" : name))
          hasFailed = hasFailed || strict || issue.severity == .error
        }
      }
      if hasFailed { throw ExitCode(1) }
    }

    private func text(of name: String) throws(StatusError) -> String {
      guard name == "-" else { return try RulesFileLocation(name: name, path: name).text() }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count >= 0 else {
          throw StatusError(.notFound, "standard input can't be read: \(lastSystemError())")
        }
        if count == 0 { break }
        bytes += buffer.prefix(count)
        guard bytes.count <= RulesFileLocation.limit else {
          throw StatusError(
            .invalidArgument,
            "standard input is larger than 256 KiB, which is the limit of rules"
          )
        }
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw StatusError(.invalidArgument, "standard input is not a text in UTF-8")
      }
      return text
    }

    private func report(_ line: String) { writeAll("\(line)\n".utf8, to: STDERR_FILENO) }
  }
}
