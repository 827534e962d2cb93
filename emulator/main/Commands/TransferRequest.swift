import Core

/// The request of `export` and `import` to the running emulator's hub.
enum TransferRequest {
  /// Sends the request to the hub.
  ///
  /// - Parameter path: The path of the hub's route.
  /// - Returns: Part of a sentence with the number of documents in each database, the data of other
  ///   services, and the services whose data was ignored.
  /// - Throws: The error in the hub's response.
  static func post(
    _ path: String,
    _ members: JSONObject,
    project: String
  ) async throws -> String {
    // A transfer of millions of documents may take an hour.
    let answer = try await EmulatorClient(project: project)
      .send("POST", "hub", path, members, within: .seconds(3_600))
    var counts = (answer["databases"]?.array ?? []).map { entry in
      guard case .integer(let count)? = entry["documents"] else { return "" }
      return "\(count) documents of \(entry["database"]?.string ?? "")"
    }
    counts += (answer["services"]?.array ?? []).compactMap(\.string)
    if counts.isEmpty { counts = ["no documents"] }
    let ignored = (answer["ignored"]?.array ?? []).compactMap(\.string)
    return counts.joined(separator: ", ") + TransferWords.left(ignored)
  }
}

/// The texts that `export`, `import` and `start` share.
enum TransferWords {
  /// Returns the end of a sentence that names services whose data wasn't imported.
  ///
  /// - Parameter services: Firebase's names of the services whose data is in the export, but that
  ///   aren't emulated.
  static func left(_ services: [String]) -> String {
    services.isEmpty
      ? "" : "; not imported, because not emulated yet: \(services.joined(separator: ", "))"
  }
}
