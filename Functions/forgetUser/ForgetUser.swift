import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// Removes what is kept of a user.
///
/// Fires when a profile is deleted; a client calls it for its own user, and an operator for any, by
/// writing the call with that user's id.
@main struct ForgetUser: Function {
  private let services: ChatServices

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "forgetUser",
      triggers: [.init(eventType: EventType(.deleted), document: "users/{uid}")],
      callable: true,
      writes: [
        paths.messages.description, paths.conversations, "users/{uid}",
        "users/{uid}/devices/{deviceId}", "users/{uid}/inbox/{conversationId}",
        "aiChats/{uid}/queries/{queryId}", "smartReplies/{key}", "translations/{key}",
        "limits/{key}",
      ],
      environment: ChatServices.environment,
      // Somebody may have written for years.
      timeoutSeconds: 300
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let uid = event.captures["uid"] else {
      throw StatusError(.internal, "the trigger captured no uid")
    }
    let session = try await services.admit(context)
    // An event may be a day late, and nothing brings back what is erased.
    guard try await session.firestore.document(event.event.document) == nil else {
      return .skipped(reason: "the user is there again")
    }
    return try await UserErasure(of: uid, session).run()
  }

  func handle(
    _ call: ForgetCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let caller else {
      throw StatusError(.unauthenticated, "only a signed-in user can be forgotten")
    }
    guard call.uid.hasSameBytes(as: caller.uid) else {
      throw StatusError(.permissionDenied, "uid is not the caller's: nobody forgets another")
    }
    return try await UserErasure(of: caller.uid, try await services.admit(context)).run()
  }
}

/// What a client sends: its own user's id, so that nobody is forgotten by mistake.
struct ForgetCall: Decodable, Sendable {
  var uid: String
}
