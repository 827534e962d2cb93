package import Core
package import FirestoreModel
package import ProviderFakes

/// A recorded invocation, with everything needed to run it again on any machine: the input, the
/// documents and responses that it received, and the outcome.
package struct ReplayFixture: Sendable, Hashable {
  package var function: String
  /// The project ID that the function sees.
  package var project: String
  /// The relevant environment variables, without addresses and keys.
  package var environment: [String: String]
  /// The invocation's ID. A call may create documents with this ID.
  package var invocationID: String
  package var attempt: Int
  /// A Boolean value that indicates whether the caller read partial results. If so, the function
  /// sends other requests to a model.
  package var isStreaming: Bool
  /// The start of the invocation. In a replay, the function's clock always shows this time.
  package var time: Timestamp
  /// The function's input: a CloudEvent or a call.
  package var event: JSONValue
  /// The documents that the function read, in their state at that time, by path; `nil` for a
  /// missing document.
  package var documents: [String: Document?]
  /// The changes by other writers, by path and in their order. Each change is applied before the
  /// function's next request for the document.
  package var concurrentChanges: [String: [ConcurrentChange]]
  /// The distinct queries of the function, or `nil` before the first replay.
  package var queries: [JSONValue]?
  /// The exchanges with providers, in the order of the responses.
  package var exchanges: [ProviderExchange]
  package var expected: ReplayOutcome

  /// A Boolean value that indicates whether the invocation handles an event and not a call.
  package var isEvent: Bool {
    event["specversion"] != nil || event["context"] != nil || event["eventType"] != nil
  }

  /// The database that the function reads and writes.
  var database: DatabaseName { Self.database(of: project, environment) }

  /// Returns the database of a function with the given environment variables.
  static func database(of project: String, _ environment: [String: String]) -> DatabaseName {
    DatabaseName(project: project, database: environment["FIRESTORE_DATABASE"] ?? "(default)")
  }
}
