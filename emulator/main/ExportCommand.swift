import ArgumentParser
import Core
import Persistence

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the documents of a running emulator to a folder.",
    discussion: """
      All are as of one instant. An export that is there already is replaced when the new one is \
      whole; any other folder is refused.
      """
  )

  @Argument(help: "The folder.")
  var folder: String

  @Option(help: "ndjson, a line of JSON a document; or google, for Google's emulator and cloud.")
  var format: ExportFormat = .ndjson

  @Option(help: "Database id; may be repeated. Default: all of the project.")
  var database: [String] = []

  @OptionGroup var projectOption: ProjectOption

  func run() async throws {
    let path = folder.absolutePath(in: Executable.workingDirectory)
    var members: JSONObject = [
      "path": .string(path), "format": .string(format.rawValue),
      "initiatedBy": .string("emulator export"),
    ]
    if !database.isEmpty { members["databases"] = .array(database.map(JSONValue.string)) }
    let what = try await TransferRequest.post(
      "/_admin/export",
      members,
      project: projectOption.project()
    )
    print("exported \(what) to \(path)")
  }
}
