import ArgumentParser
import Core
import HTTPClient
import Rules
import UI

struct RulesCoverageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Print what no request to the running emulator has decided.",
    usage: "emulator rules coverage [--strict] [<options>]",
    discussion: """
      Prints each expression of the project's security rules that was never evaluated, and each \
      condition that was always true, always false, or always an error, with its line and column. \
      Counts the requests since the rules were loaded, or since the file changed.

      Examples:
        emulator exec -- sh -c 'npm test && emulator rules coverage'
        emulator rules coverage --strict
      """
  )

  @Flag(help: "Exit with 1 if an expression was never evaluated.")
  var strict = false

  @OptionGroup var projectOption: ProjectOption

  func run() async throws {
    let project = try projectOption.project()
    let answer = try await EmulatorClient(project: project).send(
      "GET",
      "ui",
      "/api/rules/coverage?project=\(PercentEncoding.encode(project))"
    )
    let report = try JSON.decode(CoverageReport.self, from: answer, what: "the coverage")
    for gap in report.gaps {
      print("\(report.file):\(gap.line):\(gap.column): \(gap.kind.rawValue): \(gap.text)")
    }
    print("\(report.evaluated) of \(report.expressions) expressions were evaluated.")
    let isComplete = !report.gaps.contains { $0.kind == .notEvaluated }
    if strict, !isComplete { throw ExitCode(1) }
  }
}
