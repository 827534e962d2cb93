import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// The function that copies users' presence from the Realtime Database to their profiles.
///
/// It runs when a user's node `status/{uid}` changes. The Realtime Database itself sets the node to
/// offline when the connection of the user's app ends, which Firestore can't do.
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
      triggers: [.init(.written, ref: "status/{uid}")],
      writes: ["users/{uid}"],
      refWrites: ["status/{uid}"],
      environment: ChatServices.environment + RealtimeDatabaseService.environment,
      timeoutSeconds: 30,
      // An invocation only waits for Firestore.
      concurrency: 32
    )
  }

  func handle(
    _ event: TriggeredReference,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    guard let uid = event.captures["uid"] else {
      throw StatusError(.internal, "the event's node has no uid in its path")
    }
    // Without times, events can't be put in order.
    guard event.event.time > Timestamp(seconds: 0) else {
      throw StatusError(.invalidArgument, "the event has no time")
    }
    let session = try await services.admit(context)
    return try await PresenceUpdate(session: session, database: database.client(session))
      .write(Presence(event.event), of: uid)
  }
}
