import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime

/// The function that deletes a user's data and account.
///
/// It runs when a profile is deleted. Clients call it for their own user. An operator can run it
/// for any user, with a call that has this user's id.
@main struct ForgetUser: Function {
  private let services: ChatServices
  private let accounts: AccountService
  private let database: RealtimeDatabaseService
  private let storage: CloudStorageService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    accounts = try AccountService(configuration, services)
    database = try RealtimeDatabaseService(configuration, services)
    storage = try CloudStorageService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "forgetUser",
      triggers: [.init(eventType: EventType(.deleted), document: "users/{uid}")],
      callable: true,
      writes: paths.layouts.flatMap { [$0.messages.description, $0.conversations.description] } + [
        "users/{uid}",
        "users/{uid}/devices/{deviceId}", "users/{uid}/inbox/{conversationId}",
        "deviceTokens/{key}",
        "aiChats/{uid}/queries/{queryId}", "smartReplies/{key}", "translations/{key}",
        "limits/{key}",
      ],
      refWrites: ["status/{uid}"],
      objectWrites: ["avatars/{uid}/{file}", "conversations/{conversationId}/media/{file}"],
      environment: ChatServices.environment + AccountService.environment
        + RealtimeDatabaseService.environment + CloudStorageService.environment,
      // A user may have written messages for years.
      timeoutSeconds: 300
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let uid = event.captures["uid"] else {
      throw StatusError(.internal, "the event's document has no uid in its path")
    }
    let session = try await services.admit(context)
    // An event may be a day late, and deleted data can't be restored.
    guard try await session.firestore.document(event.event.document) == nil else {
      return .skipped(reason: "the user's profile exists again")
    }
    return try await erasure(of: uid, session).run()
  }

  private func erasure(of uid: String, _ session: ChatSession) -> UserErasure {
    UserErasure(
      of: uid,
      session,
      accounts,
      database,
      UserUploads(of: uid, in: storage.clients(session))
    )
  }

  func handle(
    _ call: ForgetCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let caller else {
      throw StatusError(.unauthenticated, "not signed in: sign in to delete your own data")
    }
    guard call.uid.hasSameBytes(as: caller.uid) else {
      throw StatusError(
        .permissionDenied,
        "uid is not the caller's: callers may delete only their own data"
      )
    }
    let session = try await services.admit(context)
    return try await erasure(of: caller.uid, session).run()
  }
}

/// A client's call, with the caller's own user id as a safeguard against mistakes.
struct ForgetCall: Decodable, Sendable {
  var uid: String
}
