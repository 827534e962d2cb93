import HTTPService
import HTTPTransport
import JSONCoding
import Platform
import RPCStatus

/// What `export` and `import` ask the running emulator's hub for.
enum TransferRequest {
  /// - Parameter path: of the hub.
  /// - Returns: how many documents there were, by database, and what was left out, in a sentence's
  ///   words.
  /// - Throws: what the hub answers.
  static func post(
    _ path: String,
    _ members: [String: JSONValue],
    project: String
  ) async throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let transport = HTTPTransport(environment: environment)
    let response = try await transport.send(
      HTTPRequest(
        method: "POST",
        url: try await HubLocator.origin(of: project, environment) + path,
        headers: [HTTPHeader("Content-Type", "application/json")],
        body: try JSON.encode(JSONValue.object(members))
      ),
      // As long as millions of documents take.
      deadline: .now + .seconds(3_600)
    )
    let answer = try JSONValue(parsing: response.body)
    guard response.status == 200 else {
      throw StatusError(
        StatusCode(httpStatus: response.status),
        answer["error"]?["message"]?.string ?? "the hub answered \(response.status)"
      )
    }
    var counts = (answer["databases"]?.array ?? []).map { entry in
      guard case .integer(let count)? = entry["documents"] else { return "" }
      return "\(count) documents of \(entry["database"]?.string ?? "")"
    }
    if counts.isEmpty { counts = ["no documents"] }
    let ignored = (answer["ignored"]?.array ?? []).compactMap(\.string)
    return counts.joined(separator: ", ") + TransferWords.left(ignored)
  }
}

/// What both commands and the start say.
enum TransferWords {
  /// - Parameter services: whose data is in an import, as Firebase names them.
  static func left(_ services: [String]) -> String {
    services.isEmpty
      ? "" : "; not imported, being not built yet: \(services.joined(separator: ", "))"
  }
}
