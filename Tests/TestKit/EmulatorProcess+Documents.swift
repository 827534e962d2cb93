package import Core
package import HTTPClient

/// Reads and writes of documents over REST, as any client makes them.
extension EmulatorProcess {
  /// Returns the path of a project's documents followed by a suffix:
  /// `/v1/projects/{project}/databases/(default)/documents{suffix}`.
  package func documents(_ suffix: String = "", project: String? = nil) -> String {
    "/v1/projects/\(project ?? self.project)/databases/(default)/documents\(suffix)"
  }

  /// Returns a document's full name, which request bodies contain.
  package func name(_ path: String, project: String? = nil) -> String {
    "projects/\(project ?? self.project)/databases/(default)/documents/\(path)"
  }

  /// Writes documents in one commit and replaces their old fields.
  ///
  /// - Parameter documents: the fields of each document as plain JSON, keyed by path (see
  ///   `JSONValue.firestoreValue`).
  package func write(
    _ documents: JSONValue,
    project: String? = nil,
    headers: [HTTPHeader] = []
  ) async throws(StatusError) {
    let writes = (documents.object ?? [:]).sorted { $0.key < $1.key }.map { path, fields in
      JSONValue.object([
        "update": .object([
          "name": .string(name(path.string, project: project)), "fields": fields.firestoreFields,
        ])
      ])
    }
    let answer = try await request(
      "POST",
      "firestore",
      self.documents(":commit", project: project),
      headers: headers,
      json: JSONValue.object(["writes": .array(writes)]).text
    )
    guard answer.status == 200 else {
      throw StatusError(.internal, "commit answered \(answer.status): \(answer.text)")
    }
  }

  /// Writes documents in one commit, given as the text of a JSON object.
  package func write(_ documents: String, project: String? = nil) async throws(StatusError) {
    try await write(json(documents), project: project)
  }

  /// Returns a document's fields as plain JSON, or `nil` if the document doesn't exist.
  package func fields(
    of path: String,
    project: String? = nil
  ) async throws(StatusError) -> JSONValue? {
    let answer = try await request("GET", "firestore", documents("/\(path)", project: project))
    if answer.status == 404 { return nil }
    guard answer.status == 200 else {
      throw StatusError(.internal, "get answered \(answer.status): \(answer.text)")
    }
    return (answer.json["fields"] ?? .object([:])).plainFields
  }

  /// Returns up to 300 documents of a collection, each with its name, fields and times.
  package func collection(
    _ path: String,
    project: String? = nil
  ) async throws(StatusError) -> [JSONValue] {
    let answer = try await request(
      "GET",
      "firestore",
      documents("/\(path)?pageSize=300", project: project)
    )
    return answer.json["documents"]?.array ?? []
  }

  /// Waits until no delivery is pending or running.
  package func quiet() async throws(StatusError) {
    let answer = try await request("GET", "ui", "/api/quiet")
    guard answer.status == 200 else {
      throw StatusError(.internal, "/api/quiet answered \(answer.status)")
    }
  }

  /// Returns the pushes in the inbox of the FCM fake for one project, oldest first.
  package func pushes(project: String? = nil) async throws(StatusError) -> [JSONValue] {
    let answer = try await request("GET", "functions", "/providers/fcm/inbox")
    let prefix = "projects/\(project ?? self.project)/messages/"
    return (answer.json["messages"]?.array ?? []).filter {
      $0["name"]?.string?.hasPrefix(prefix) == true
    }
  }

  /// Returns all deliveries so far, in the format of `/api/events`.
  package func deliveries(_ query: String = "") async throws(StatusError) -> [JSONValue] {
    try await request("GET", "ui", "/api/events\(query)").json.array ?? []
  }
}
