import ArgumentParser
import Core
import FirestoreModel
import HTTPClient
import Services

struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Delete all documents of one database in a running emulator.",
    usage: "emulator clear [<options>]",
    discussion: """
      Deletions fire no triggers.

      Examples:
        emulator clear
        emulator clear --database staging
      """
  )

  @OptionGroup var projectOption: ProjectOption

  @Option(help: ArgumentHelp("Database id.", valueName: "id"))
  var database = "(default)"

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let name = DatabaseName(project: try projectOption.project(), database: database)
    let path = name.documents.split(separator: "/").map { PercentEncoding.encode(String($0)) }
    let response = try await HTTPClient(environment: environment).send(
      HTTPRequest(
        method: "DELETE",
        url: "http://\(try await firestore(of: name.project, environment))/emulator/v1/"
          + path.joined(separator: "/")
      ),
      deadline: .now + .seconds(10)
    )
    guard response.status == 200 else {
      let message = try? JSONValue(parsing: response.body)["error"]?["message"]?.string
      throw StatusError(
        StatusCode(httpStatus: response.status),
        message ?? "Firestore answered with status \(response.status)"
      )
    }
    print("cleared \(name)")
  }

  /// Returns Firestore's host and port, which the hub knows. If FIRESTORE_EMULATOR_HOST is set and
  /// the hub's variable isn't, returns the value of FIRESTORE_EMULATOR_HOST.
  private func firestore(
    of project: String,
    _ environment: [String: String]
  ) async throws(StatusError) -> String {
    if environment.hub == nil, let host = environment["FIRESTORE_EMULATOR_HOST"], !host.isEmpty {
      return host
    }
    return try await EmulatorClient(project: project).address(of: "firestore").description
  }
}
