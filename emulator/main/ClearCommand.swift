import ArgumentParser
import Core
import FirestoreModel
import HTTPClient
import Services

struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Delete all documents of one database in a running emulator, or all accounts, too.",
    usage: "emulator clear [<options>]",
    discussion: """
      Deletions fire no triggers. Accounts stay, unless --auth is given.

      Examples:
        emulator clear
        emulator clear --database staging
        emulator clear --auth
      """
  )

  @OptionGroup var projectOption: ProjectOption

  @Option(help: ArgumentHelp("Database id.", valueName: "id"))
  var database = "(default)"

  @Flag(help: "Also delete all accounts of Authentication.")
  var auth = false

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let name = DatabaseName(project: try projectOption.project(), database: database)
    let path = name.documents.split(separator: "/").map { PercentEncoding.encode(String($0)) }
    let firestore = try await address(of: .firestore, in: name.project, environment)
    // If a service is missing, nothing is deleted.
    let authentication =
      auth ? try await address(of: .auth, in: name.project, environment) : nil
    try await delete(path.joined(separator: "/"), of: .firestore, at: firestore, environment)
    print("cleared \(name)")
    guard let authentication else { return }
    let project = PercentEncoding.encode(name.project)
    try await delete("projects/\(project)/accounts", of: .auth, at: authentication, environment)
    print("deleted all accounts")
  }

  /// Deletes the data of a service.
  ///
  /// - Parameters:
  ///   - path: The path below the routes that only emulators have.
  ///   - address: The service's host and port.
  private func delete(
    _ path: String,
    of service: ServiceName,
    at address: String,
    _ environment: [String: String]
  ) async throws {
    let response = try await HTTPClient(environment: environment).send(
      HTTPRequest(
        method: "DELETE",
        url: "http://\(address)/emulator/v1/\(path)",
        headers: [HTTPHeader("Authorization", "Bearer owner")]
      ),
      deadline: .now + .seconds(60)
    )
    guard response.status == 200 else {
      let message = try? JSONValue(parsing: response.body)["error"]?["message"]?.string
      throw StatusError(
        StatusCode(httpStatus: response.status),
        message ?? "\(service) answered with status \(response.status)"
      )
    }
  }

  /// Returns a service's host and port, which the hub knows. If the service's own variable is set,
  /// such as FIRESTORE_EMULATOR_HOST, and the hub's isn't, returns the value of that variable.
  private func address(
    of service: ServiceName,
    in project: String,
    _ environment: [String: String]
  ) async throws(StatusError) -> String {
    let variable = EmulatedService[service]?.hostVariable
    if environment.hub == nil, let host = variable.flatMap({ environment[$0] }), !host.isEmpty {
      return host
    }
    return try await EmulatorClient(project: project).address(of: service.rawValue).description
  }
}
