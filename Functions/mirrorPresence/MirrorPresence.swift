import Chat
import Core
import FirestoreModel
import FunctionRuntime
import Providers

/// The function that copies users' presence from the Realtime Database to their profiles.
///
/// It runs when a user's node `status/{uid}` changes, and when a profile is created. The Realtime
/// Database itself sets the node to offline when the connection of the user's app ends, which
/// Firestore can't do.
@main struct MirrorPresence: Function {
  typealias Call = NoCall

  private let services: ChatServices
  private let database: RealtimeDatabaseService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    database = try RealtimeDatabaseService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "mirrorPresence",
      triggers: [
        .init(.written, ref: "status/{uid}"),
        .init(eventType: EventType(.created), document: "users/{uid}"),
      ],
      writes: ["users/{uid}"],
      refWrites: ["status/{uid}"],
      environment: ChatServices.environment + RealtimeDatabaseService.environment,
      timeoutSeconds: 30,
      // An invocation only waits for the databases.
      concurrency: 32
    )
  }

  func handle(
    _ event: TriggeredReference,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard event.event.time > Timestamp(seconds: 0) else {
      throw StatusError(.invalidArgument, "the event has no time, so it can't be the last change's")
    }
    let session = try await services.admit(context)
    guard let update = try update(of: event.captures["uid"], session) else {
      return RealtimeDatabaseService.isMissing
    }
    guard update.database.instance.hasSameBytes(as: event.event.instance) else {
      return .skipped(reason: "the event is of another Realtime Database")
    }
    return try await update.write(changed: event.event.time)
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    guard let update = try update(of: event.captures["uid"], session) else {
      return RealtimeDatabaseService.isMissing
    }
    return try await update.writeIfOnline(created: event.event.time)
  }

  private func update(
    of uid: String?,
    _ session: ChatSession
  ) throws(StatusError) -> PresenceUpdate? {
    guard let uid else { throw StatusError(.internal, "the event has no uid in its path") }
    return try database.required(session).map {
      PresenceUpdate(session: session, database: $0, uid: uid)
    }
  }
}
