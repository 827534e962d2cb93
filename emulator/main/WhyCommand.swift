import ArgumentParser
import Core
import HTTPClient

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain why a document or a field exists, or why it is missing.",
    usage: "emulator why <document> [<field>] [<options>]",
    discussion: """
      Prints who wrote the document or field and when, then the chain of writes and functions that \
      led to it, the first cause first. If it is missing, prints who deleted it, or the state of \
      the functions that would write it.

      Examples:
        emulator why conversations/trip/messages/thanks
        emulator why conversations/trip/messages/thanks translations.it
      """
  )

  @Argument(help: "Path of the document.")
  var document: String

  @Argument(help: "Path of a field, such as translations.it. (default: the whole document)")
  var field: String?

  @Option(help: ArgumentHelp("Database id.", valueName: "id"))
  var database = "(default)"

  @OptionGroup var projectOption: ProjectOption

  func run() async throws {
    let project = try projectOption.project()
    var query = [("document", document), ("project", project), ("database", database)]
    if let field { query.append(("field", field)) }
    let answer = try await EmulatorClient(project: project).send(
      "GET",
      "ui",
      "/api/why?"
        + query.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    )
    print(answer["sentence"]?.string ?? "")
    for step in answer["chain"]?.array ?? [] {
      print("  \(step["time"]?.string ?? "")  \(step["what"]?.string ?? "")")
    }
  }
}
