import Chat
import FirestoreModel
import FunctionRuntime
import Platform

/// Rings the devices of everybody in a conversation but the sender when a message is created, and
/// keeps what a push needs: unread counts and the conversation's last message.
@main struct SendNotification: Function {
  typealias Call = NoCall

  private let services: ChatServices
  private let translation: TranslationService
  private let push: PushService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    translation = try TranslationService(configuration, services)
    push = try PushService(configuration, services)
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
        paths.conversations, "translations/{key}", "translationFailures/{key}",
        "functionEvents/{key}", "leases/{key}", "limits/{key}",
      ],
      secrets: TranslationService.secrets,
      environment: ChatServices.environment + TranslationService.environment
        + PushService.environment,
      timeoutSeconds: 30
    )
  }

  /// A push still goes out, with the original, where a translator hangs.
  private static let translationBudget = Duration.seconds(10)

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    return try await MessageNotification(
      session,
      translator: translation.translator(
        session,
        for: event.senderID,
        budget: Self.translationBudget
      ),
      push: push.client(session)
    ).notify(of: event.event.document, copy: event.event.value)
  }
}
