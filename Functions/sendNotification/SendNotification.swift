import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// Rings the devices of everybody in a conversation but the sender when a message is created, and
/// keeps what a push needs: unread counts and the conversation's last message. Edits, deletions,
/// receipts, and members who leave put these right, and silently the numbers on the phones' icons.
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

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "sendNotification",
      triggers: [
        .init(eventType: EventType(.created), document: paths.messages.description),
        .init(
          eventType: EventType(.updated),
          document: paths.messages.description,
          fields: [FieldPath("readBy"), FieldPath("text")]
        ),
        .init(eventType: EventType(.deleted), document: paths.messages.description),
        .init(
          eventType: EventType(.updated),
          document: paths.conversations,
          fields: [FieldPath("participants")]
        ),
        .init(eventType: EventType(.deleted), document: paths.conversations),
      ],
      writes: [
        "users/{uid}", "users/{uid}/devices/{deviceId}", "users/{uid}/inbox/{conversationId}",
        paths.conversations, "translations/{key}", "translationFailures/{key}",
        "functionEvents/{key}", "leases/{key}", "limits/{key}",
      ],
      secrets: TranslationService.secrets,
      environment: ChatServices.environment + TranslationService.environment
        + PushService.environment,
      timeoutSeconds: 30,
      // Almost all of its time it waits for a provider: what takes two seconds there and comes five
      // times a second needs more than ten at once, and room for a crowd.
      concurrency: 32
    )
  }

  /// A push still goes out, with the original, where a translator hangs.
  private static let translationBudget = Duration.seconds(10)
  /// translateMessage, which the same message wakes, is to be the one that asks: a translation is on
  /// the screen of those who look at the conversation, and a push a little later rings all the same.
  private static let headStart = Duration.milliseconds(50)

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard services.paths.messages.match(event.event.document.path) != nil else {
      guard let removal = MembershipRemoval(event.event) else {
        return .skipped(reason: "nobody has left the conversation")
      }
      let session = try await services.admit(context)
      return try await MembershipChange(session: session, push: push.client(session))
        .follow(removal)
    }
    let session = try await services.admit(context)
    guard event.event.change == .created else {
      return try await MessageChange(session, push: push.client(session)).follow(event.event)
    }
    return try await MessageNotification(
      session,
      translator: translation.translator(
        session,
        for: event.senderID,
        budget: Self.translationBudget,
        headStart: Self.headStart
      ),
      push: push.client(session)
    ).notify(of: event.event.document, eventSnapshot: event.event.value)
  }
}
