import Chat
import FirestoreModel
import FunctionRuntime
import Platform

/// Rings the devices of everybody in a conversation but the sender when a message is created, and
/// keeps what a push needs: unread counts and the conversation's last message.
@main struct SendNotification: Function {
  private let services: ChatServices

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
  }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "sendNotification",
      triggers: [
        .init(eventType: EventType(.created), document: paths.messages.description)
      ],
      writes: [
        "users/{uid}", "users/{uid}/devices/{deviceId}", "users/{uid}/inbox/{conversationId}",
        paths.conversations, "translations/{key}", "functionEvents/{key}",
      ],
      secrets: ChatServices.secrets,
      environment: ChatServices.environment + [.init("FCM_BASE_URL", required: false)],
      timeoutSeconds: 30
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    try await MessageNotification(services.session(context)).notify(of: event.event.document)
  }

  func handle(
    _ call: NoCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    .skipped(reason: "sendNotification is not callable")
  }
}
