import Core

/// What `export` and `import` ask the running emulator's hub for.
enum TransferRequest {
  /// - Parameter path: of the hub.
  /// - Returns: how many documents there were, by database, and what was left out, in a sentence's
  ///   words.
  /// - Throws: what the hub answers.
  static func post(
    _ path: String,
    _ members: JSONObject,
    project: String
  ) async throws -> String {
    // As long as millions of documents take.
    let answer = try await EmulatorClient(project: project)
      .send("POST", "hub", path, members, within: .seconds(3_600))
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
