import Chat
import Core
import FunctionRuntime

/// The function that counts the pushes that their readers open.
///
/// A client calls it when its user opens a message's push.
@main struct TrackOpen: Function {
  private let services: ChatServices

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "trackOpen",
      callable: true,
      writes: ["functionEvents/{key}"],
      environment: ChatServices.environment,
      timeoutSeconds: 10,
      // An invocation only waits for Firestore.
      concurrency: 32
    )
  }

  func handle(
    _ call: OpenCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let caller else { throw StatusError.notSignedIn }
    return try await OpenedPush(session: try await services.admit(context))
      .count(call, by: caller)
  }
}

/// A client's call, with the ids in the push's data.
struct OpenCall: Decodable, Sendable {
  var conversationId: String
  var messageId: String
}
