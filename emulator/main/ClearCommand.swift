import ArgumentParser
import FirestoreModel
import HTTPService
import HTTPTransport
import JSONCoding
import Platform
import RPCStatus
import Server

struct ClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Drop every document of a running emulator. No trigger fires."
  )

  @OptionGroup var projectOption: ProjectOption

  @Option(help: "Database id.")
  var database = "(default)"

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let project = try projectOption.project()
    let transport = HTTPTransport(environment: environment)
    let deadline = ContinuousClock.now + .seconds(10)
    let address = try await firestore(of: project, environment, transport, deadline)
    let name = DatabaseName(project: project, database: database)
    let path = name.documents.split(separator: "/").map { PercentEncoding.encode(String($0)) }
    let response = try await transport.send(
      HTTPRequest(
        method: "DELETE",
        url: "http://\(address)/emulator/v1/\(path.joined(separator: "/"))"
      ),
      deadline: deadline
    )
    guard response.status == 200 else {
      let message = try? JSONValue(parsing: response.body)["error"]?["message"]?.string
      throw StatusError(
        StatusCode(httpStatus: response.status),
        message ?? "Firestore answered \(response.status)"
      )
    }
    print("cleared \(name)")
  }

  /// Host and port: what the variables name, else what the running emulator's hub says.
  private func firestore(
    of project: String,
    _ environment: [String: String],
    _ transport: HTTPTransport,
    _ deadline: ContinuousClock.Instant
  ) async throws -> String {
    if environment.hub == nil, let host = environment["FIRESTORE_EMULATOR_HOST"], !host.isEmpty {
      return host
    }
    let hub = try await HubLocator.origin(of: project, environment)
    let answer = try await transport.send(
      HTTPRequest(method: "GET", url: "\(hub)/emulators"),
      deadline: deadline
    )
    guard let firestore = try JSONValue(parsing: answer.body)["firestore"],
      let host = firestore["host"]?.string, case .integer(let port)? = firestore["port"]
    else { throw StatusError(.notFound, "the running emulator has no Firestore") }
    return "\(Addresses.Address(host: host, port: Int(port)).reachable)"
  }
}
