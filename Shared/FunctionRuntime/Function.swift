/// A function of WorldChat, which turns an event into an outcome.
///
/// A conforming type with `@main` is a complete executable. It handles one event from stdin, or runs
/// with `--worker` or `--describe`.
package protocol Function: Sendable {
  /// The body of a client's call, or `NoCall`.
  associatedtype Call: Decodable & Sendable

  /// Returns the manifest. Triggers may depend on the configuration (MESSAGES_PATH).
  static func manifest(_ configuration: Configuration) throws -> FunctionManifest

  /// Creates the function, once per process. Throws a configuration error that names the variable.
  init(configuration: Configuration) throws

  /// The executor on which the process runs the function, or `nil` for the default one.
  var executor: (any FunctionExecutor)? { get }

  /// Handles an event. Called only with events that match a trigger of the manifest.
  func handle(_ event: TriggeredEvent, context: FunctionContext) async throws -> FunctionOutcome

  /// Handles a call. Called only if the manifest is `callable`.
  func handle(_ call: Call, caller: Caller?, context: FunctionContext) async throws
    -> FunctionOutcome
}

extension Function {
  package var executor: (any FunctionExecutor)? { nil }

  /// Skips the event, since a function without triggers gets none.
  package func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function has no trigger")
  }
}

extension Function where Call == NoCall {
  /// Skips the call, since a function that isn't callable gets none.
  package func handle(
    _ call: NoCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function is not callable")
  }
}

/// A change of a document, and the captures of its trigger's pattern.
package struct TriggeredEvent: Sendable {
  package var event: DocumentEvent
  package var captures: [String: String]
}

/// The outcome of an event that didn't fail.
package enum FunctionOutcome: Sendable {
  case done(any Encodable & Sendable)
  /// There was nothing to do, for a reason that a person can read.
  case skipped(reason: String, result: (any Encodable & Sendable)? = nil)
}

/// The call type of functions that aren't callable.
package struct NoCall: Decodable, Sendable {
  package init(from decoder: any Decoder) {}
}
