package import Core
import HTTPClient

/// Reads and writes of the Realtime Database over REST, as an administrator.
extension EmulatorProcess {
  /// Replaces the values at several paths together.
  package func write(
    nodes: JSONObject,
    project: String? = nil
  ) async throws(StatusError) {
    _ = try await database("PATCH", "", JSONValue.object(nodes).text, project)
  }

  /// Returns the value at a path, null if there is none.
  package func node(_ path: String, project: String? = nil) async throws(StatusError) -> JSONValue {
    try await database("GET", path, nil, project)
  }

  private func database(
    _ method: String,
    _ path: String,
    _ body: String?,
    _ project: String?
  ) async throws(StatusError) -> JSONValue {
    let answer = try await request(
      method,
      "database",
      "/\(path).json?ns=\(project ?? self.project)-default-rtdb",
      headers: [HTTPHeader("Authorization", "Bearer owner")],
      body: body.map { Data($0.utf8) }
    )
    guard answer.status == 200 else {
      throw StatusError(.internal, "\(method) \(path) answered \(answer.status): \(answer.text)")
    }
    return answer.json
  }
}
