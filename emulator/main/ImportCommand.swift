import ArgumentParser
import Core

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Write the documents of an export into a running emulator.",
    discussion: """
      Takes exports of this emulator, of Google's and of real databases. Documents of the same \
      names are replaced, others stay. An export that isn't whole is refused before anything \
      changes.
      """
  )

  @Argument(help: "The export's folder, or the file in it that describes the export.")
  var path: String

  @Flag(help: "Let the documents fire triggers.")
  var triggers = false

  @Option(help: "Id of the database to write to. Default: the one they are from.")
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
