import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// The function that sends the pushes of a new message to all members but the sender.
///
/// It also stores the members' unread counts and the conversation's last message. When a message is
/// edited, deleted or read, or a member leaves, it corrects the counts and the last message. Silent
/// pushes then correct the number on the app's icon. When a user registers a device, the device's
/// former user loses it.
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
      // The messages' triggers come last, because an event that matches none is reported with these.
      triggers: DeviceRegistration.triggers + paths.layouts.flatMap(triggers),
      writes: [
        "users/{uid}", "users/{uid}/devices/{deviceId}", "users/{uid}/inbox/{conversationId}",
        "deviceTokens/{key}",
      ] + paths.layouts.flatMap { [$0.messages.description, $0.conversations.description] } + [
        "translations/{key}", "translationFailures/{key}", "functionEvents/{key}", "leases/{key}",
        "limits/{key}",
      ],
      secrets: TranslationService.secrets,
      environment: ChatServices.environment + TranslationService.environment
        + PushService.environment,
      timeoutSeconds: 30,
      // An invocation mostly waits for a provider. At five invocations a second, each of two
      // seconds, ten run at a time. The limit leaves room for peaks.
      concurrency: 32
    )
  }

  private static func triggers(of layout: ChatLayout) -> [FunctionManifest.Trigger] {
    let messages = layout.messages.description
    let conversations = layout.conversations.description
    return [
      .init(eventType: EventType(.created), document: messages),
      .init(
        eventType: EventType(.updated),
        document: messages,
        fields: ["mediaURL", "readAt", "readBy", "status", "text"].map { FieldPath($0) }
      ),
      .init(eventType: EventType(.deleted), document: messages),
      .init(
        eventType: EventType(.updated),
        document: conversations,
        fields: [FieldPath("participants")]
      ),
      .init(eventType: EventType(.deleted), document: conversations),
    ]
  }

  /// The maximum time to wait for translations. After this time, the push has the original text.
  private static let translationBudget = Duration.seconds(10)
  /// The time to wait before requesting a translation, as a head start for translateMessage.
  ///
  /// The same message triggers translateMessage. That function should send the request to the
  /// provider, because members who have the conversation open wait for its translation. A push may
  /// arrive a little later.
  private static let headStart = Duration.milliseconds(50)

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard services.paths.isMessage(event.event.document.path) else {
      if let registration = DeviceRegistration(event.event) {
        // Most changes of profiles register no token. They cost no read.
        guard !registration.devices.isEmpty else {
          return .skipped(reason: "no device's token was registered")
        }
        return try await TokenClaims(session: services.admit(context)).follow(registration)
      }
      guard let removal = MembershipRemoval(event.event) else {
        return .skipped(reason: "nobody has left the conversation")
      }
      let session = try await services.admit(context)
      return try await MembershipChange(session: session, push: push.client(session))
        .follow(removal)
    }
    let session = try await services.admit(context)
    let push = push.client(session)
    let translator = translation.translator(
      session,
      for: event.senderID,
      budget: Self.translationBudget,
      headStart: Self.headStart
    )
    guard event.event.createsContent else {
      return try await MessageChange(session, translator: translator, push: push)
        .follow(event.event)
    }
    return try await MessageNotification(session, translator: translator, push: push)
      .notify(of: event.event.document, eventSnapshot: event.event.value)
  }
}

extension DocumentEvent {
  /// A Boolean value that indicates whether a message is new, or got its first text or attachment.
  fileprivate var createsContent: Bool {
    guard change == .updated, let oldValue, let value else { return change == .created }
    return !Message(oldValue).hasContent && Message(value).hasContent
  }
}
