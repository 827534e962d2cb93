package import Core
package import FirestoreModel
package import ProviderFakes

/// One recorded invocation: its input, what it met, and its outcome. That is enough to run it again
/// anywhere.
package struct ReplayFixture: Sendable, Hashable {
  package var function: String
  /// The project the function believes to be in.
  package var project: String
  /// Variables that matter, beside addresses and keys.
  package var environment: [String: String]
  /// The invocation's own id, which a call's documents may be named after.
  package var invocationID: String
  package var attempt: Int
  /// A Boolean value that indicates whether the caller read partial results; a model is asked in
  /// another way then.
  package var isStreaming: Bool
  /// When it began; in a replay the function's clock stands there.
  package var time: Timestamp
  /// The function's input: a CloudEvent or a call.
  package var event: JSONValue
  /// What it read, as it was then, by path; nil for what wasn't there.
  package var documents: [String: Document?]
  /// What others did meanwhile, by path: one after the other, each has happened when the function
  /// meets the document again.
  package var concurrentChanges: [String: [ConcurrentChange]]
  /// What it asked of collections, each once; nil before the first replay.
  package var queries: [JSONValue]?
  /// In the order in which they were answered.
  package var exchanges: [ProviderExchange]
  package var expected: ReplayOutcome

  /// A Boolean value that indicates whether a document's change started it; else somebody called.
  package var isEvent: Bool {
    event["specversion"] != nil || event["context"] != nil || event["eventType"] != nil
  }

  /// The database the function reads and writes.
  var database: DatabaseName { Self.database(of: project, environment) }

  /// The database of a function with these variables.
  static func database(of project: String, _ environment: [String: String]) -> DatabaseName {
    DatabaseName(project: project, database: environment["FIRESTORE_DATABASE"] ?? "(default)")
  }
}
