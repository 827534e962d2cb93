import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// The function that copies conversations' participants to the Realtime Database.
///
/// The database's security rules can't read Firestore. They admit who is in
/// `members/{conversationId}`. Clients call the function about a conversation whose copy is
/// missing, such as one that is older than the function.
@main struct MirrorMembership: Function {
  private let services: ChatServices
  private let database: RealtimeDatabaseService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    database = try RealtimeDatabaseService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "mirrorMembership",
      triggers: try ChatPaths(configuration).layouts.map { layout in
        .init(
          eventType: EventType(.written),
          document: layout.conversations.description,
          fields: [FieldPath("participants")]
        )
      },
      callable: true,
      refWrites: ["members/{conversationId}", "typingIndicators/{conversationId}/{uid}"],
      environment: ChatServices.environment + RealtimeDatabaseService.environment,
      timeoutSeconds: 30,
      // An invocation only waits for the databases.
      concurrency: 32
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    let before = event.event.oldValue.flatMap { try? Conversation($0) }?.participants ?? []
    return try await copy(of: event.event.document.id, before: before, session)
  }

  func handle(
    _ call: MembershipCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let caller else { throw StatusError.notSignedIn }
    let session = try await services.admit(context)
    let found = try await session.conversation(call.conversationId, messages: [])
    guard let document = found.document else { throw StatusError.notAMember }
    _ = try Conversation(document, of: caller)
    return try await copy(of: call.conversationId, before: [], session)
  }

  private func copy(
    of conversationID: String,
    before: [String],
    _ session: ChatSession
  ) async throws(StatusError) -> FunctionOutcome {
    guard let database = try database.required(session) else {
      return RealtimeDatabaseService.isMissing
    }
    return try await MembershipCopy(of: conversationID, session, database).write(after: before)
  }
}

/// A client's call about a conversation.
struct MembershipCall: Decodable, Sendable {
  var conversationId: String
}
