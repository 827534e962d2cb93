import ArgumentParser
import Core
import HTTPClient

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain a document or a field: who wrote it and why, or why it isn't there."
  )

  @Argument(help: "A document's path, conversations/trip/messages/thanks.")
  var document: String

  @Argument(help: "A field's path, translations.it. Default: the whole document.")
  var field: String?

  @Option(help: "Database id.")
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
