import ArgumentParser
import Core

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Load an export into a running emulator.",
    usage: "emulator import <path> [<options>]",
    discussion: """
      Reads exports from this emulator, from Google's emulator and from real databases. Documents \
      with the same names are replaced; all others stay. An incomplete export is refused before \
      anything changes.

      Examples:
        emulator import ./backup
        emulator import ./backup --triggers --database staging
      """
  )

  @Argument(help: "Folder of the export, or the metadata file in it.")
  var path: String

  @Flag(help: "Fire triggers for the imported documents.")
  var triggers = false

  @Option(
    help: ArgumentHelp(
      "Id of the database to write to. (default: the one that was exported)",
      valueName: "id"
    )
  )
  var database: String?

  @OptionGroup var projectOption: ProjectOption

  func run() async throws {
    var members: JSONObject = [
      "path": .string(path.absolutePath(in: Executable.workingDirectory)),
      "firesTriggers": .boolean(triggers),
    ]
    if let database { members["database"] = .string(database) }
    let what = try await TransferRequest.post(
      "/_admin/import",
      members,
      project: projectOption.project()
    )
    print("imported \(what)")
  }
}
