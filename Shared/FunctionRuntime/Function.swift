/// A function of WorldChat: an event in, an outcome out. The executable is its handler.
///
/// Conforming with `@main` gives it the command line: one event on stdin, `--worker`,
/// `--describe`.
package protocol Function: Sendable {
  /// What a client's call carries, or `NoCall`.
  associatedtype Call: Decodable & Sendable

  /// Triggers may depend on the configuration (MESSAGES_PATH).
  static func manifest(_ configuration: Configuration) throws -> FunctionManifest

  /// Made once per process. Throws a configuration error that names the variable.
  init(configuration: Configuration) throws

  /// Where the process runs it; nil for anywhere.
  var executor: (any FunctionExecutor)? { get }

  /// Called only with events that a trigger of the manifest takes.
  func handle(_ event: TriggeredEvent, context: FunctionContext) async throws -> FunctionOutcome

  /// Called only if the manifest says callable.
  func handle(_ call: Call, caller: Caller?, context: FunctionContext) async throws
    -> FunctionOutcome
}

extension Function {
  package var executor: (any FunctionExecutor)? { nil }

  /// A function without triggers gets no events.
  package func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "there is no trigger")
  }
}

extension Function where Call == NoCall {
  /// A function that isn't callable gets no calls.
  package func handle(
    _ call: NoCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function is not callable")
  }
}

/// A document's change together with what its trigger's pattern captured.
package struct TriggeredEvent: Sendable {
  package var event: DocumentEvent
  package var captures: [String: String]
}

/// How an event ended, if it didn't fail.
package enum FunctionOutcome: Sendable {
  case done(any Encodable & Sendable)
  /// There was nothing to do, for a reason that a person can read.
  case skipped(reason: String, result: (any Encodable & Sendable)? = nil)
}

/// The body of a call to a function that takes none.
package struct NoCall: Decodable, Sendable {
  package init(from decoder: any Decoder) {}
}
