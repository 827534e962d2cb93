import ArgumentParser
import Core
import FirestoreModel

struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Delete all documents of one database in a running emulator, or other data, too.",
    usage: "emulator clear [<options>]",
    discussion: """
      Deletions fire no triggers. Accounts, Realtime Databases and objects stay, unless an option \
      names them.

      Examples:
        emulator clear
        emulator clear --database staging
        emulator clear --auth --realtime-database --storage
      """
  )

  @OptionGroup var projectOption: ProjectOption

  @Option(help: ArgumentHelp("Database id.", valueName: "id"))
  var database = "(default)"

  @Flag(help: "Also delete all accounts of Authentication.")
  var auth = false

  @Flag(help: "Also delete the data of all Realtime Databases.")
  var realtimeDatabase = false

  @Flag(help: "Also delete all objects of Cloud Storage.")
  var storage = false

  func run() async throws {
    let name = DatabaseName(project: try projectOption.project(), database: database)
    let client = EmulatorClient(project: name.project)
    // If a service is missing, nothing is deleted.
    if auth { _ = try await client.origin(of: "auth") }
    if realtimeDatabase { _ = try await client.origin(of: "database") }
    if storage { _ = try await client.origin(of: "storage") }
    let path = name.documents.split(separator: "/").map { PercentEncoding.encode(String($0)) }
    _ = try await client.send(
      "DELETE",
      "firestore",
      "/emulator/v1/" + path.joined(separator: "/")
    )
    print("cleared \(name)")
    if auth {
      let project = PercentEncoding.encode(name.project)
      _ = try await client.send("DELETE", "auth", "/emulator/v1/projects/\(project)/accounts")
      print("deleted all accounts")
    }
    if realtimeDatabase {
      let answer = try await client.send("DELETE", "database", "/emulator/v1/databases")
      for name in answer["cleared"]?.array ?? [] {
        print("cleared the Realtime Database \(name.string ?? "")")
      }
    }
    if storage {
      _ = try await client.send("POST", "storage", "/internal/reset")
      print("deleted all objects")
    }
  }
}
