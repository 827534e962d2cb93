import Chat
import Core
import FunctionRuntime

/// The function that suggests three replies to a member of a conversation.
///
/// Each reply is in the member's language and in the other person's, and can be sent with one tap.
@main struct SmartReplies: Function {
  private let services: ChatServices
  private let models: ModelService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    models = try ModelService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "smartReplies",
      callable: true,
      writes: ["smartReplies/{key}", "leases/{key}", "limits/{key}"],
      secrets: try ModelService.secrets(configuration),
      environment: ChatServices.environment + ModelService.environment,
      timeoutSeconds: 60
    )
  }

  func handle(
    _ call: RepliesCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    return try await ReplySuggestions(session, models.model(session, for: caller?.uid))
      .answer(call, caller: caller)
  }
}

/// A client's call for replies.
struct RepliesCall: Decodable, Sendable {
  var conversationId: String
}
