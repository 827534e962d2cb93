import ArgumentParser
import Core
import Persistence

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the data of a running emulator's services to a folder.",
    usage: "emulator export <folder> [<options>]",
    discussion: """
      The export is a snapshot of one instant. An earlier export in the folder is replaced once \
      the new one is complete; a folder with anything else in it is refused.

      Examples:
        emulator export ./backup
        emulator export ./backup --format google --database staging
      """
  )

  @Argument(help: "Folder for the export.")
  var folder: String

  @Option(
    help: ArgumentHelp(
      """
      Format: ndjson has a line of JSON per document, google is for Google's emulator and cloud.
      """,
      valueName: "format"
    )
  )
  var format: ExportFormat = .ndjson

  @Option(
    help: ArgumentHelp(
      "Database id. May be repeated. (default: all databases of the project)",
      valueName: "id"
    )
  )
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
