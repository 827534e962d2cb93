/// A function of WorldChat, which turns an event into an outcome.
///
/// A conforming type with `@main` is a complete executable. For its command line, see `main()`.
package protocol Function: Sendable {
  /// The type of a call's data, or `NoCall` for a function that isn't callable.
  associatedtype Call: Decodable & Sendable

  /// Returns the manifest. Its triggers may depend on the configuration, such as on MESSAGES_PATH.
  static func manifest(_ configuration: Configuration) throws -> FunctionManifest

  /// Creates the function. A process does this once.
  ///
  /// - Throws: A configuration error that names the invalid variable.
  init(configuration: Configuration) throws

  /// The executor on which the process runs the function, or `nil` for the default one.
  var executor: (any FunctionExecutor)? { get }

  /// Handles a change of a document. It matches one of the manifest's triggers.
  func handle(_ event: TriggeredEvent, context: FunctionContext) async throws -> FunctionOutcome

  /// Handles a change in the Realtime Database. It matches one of the manifest's triggers.
  func handle(_ event: TriggeredReference, context: FunctionContext) async throws -> FunctionOutcome

  /// Handles a change of an object of Cloud Storage. It matches one of the manifest's triggers.
  func handle(_ event: TriggeredObject, context: FunctionContext) async throws -> FunctionOutcome

  /// Handles a call. Called only if the manifest is `callable`.
  func handle(_ call: Call, caller: Caller?, context: FunctionContext) async throws
    -> FunctionOutcome
}

extension Function {
  package var executor: (any FunctionExecutor)? { nil }

  /// Skips the event. This default is for functions without triggers, which get no events.
  package func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function has no trigger")
  }

  /// Skips the event. This default is for functions without triggers on nodes.
  package func handle(
    _ event: TriggeredReference,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function has no trigger in the Realtime Database")
  }

  /// Skips the event. This default is for functions without triggers on objects.
  package func handle(
    _ event: TriggeredObject,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function has no trigger in Cloud Storage")
  }
}

extension Function where Call == NoCall {
  /// Skips the call. This default is for functions that aren't callable, which get no calls.
  package func handle(
    _ call: NoCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "the function is not callable")
  }
}

/// A change of a document, and the captured parts of its path by the names in the trigger's
/// pattern.
package struct TriggeredEvent: Sendable {
  package var event: DocumentEvent
  package var captures: [String: String]
}

/// A change of a node, and the captured parts of its path by the names in the trigger's pattern.
package struct TriggeredReference: Sendable {
  package var event: ReferenceEvent
  package var captures: [String: String]
}

/// A change of an object, and the captured parts of its name by the names in the trigger's pattern.
package struct TriggeredObject: Sendable {
  package var event: ObjectEvent
  package var captures: [String: String]
}

/// The outcome of an event or call that didn't fail.
package enum FunctionOutcome: Sendable {
  case done(any Encodable & Sendable)
  /// There was nothing to do. The reason is a text for people.
  case skipped(reason: String, result: (any Encodable & Sendable)? = nil)
}

/// The call type of functions that aren't callable.
package struct NoCall: Decodable, Sendable {
  package init(from decoder: any Decoder) {}
}
