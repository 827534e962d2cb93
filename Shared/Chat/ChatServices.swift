package import Core
package import FirestoreClient
package import FirestoreModel
package import FunctionRuntime
import GoogleAuth
import HTTPClient
package import Providers

/// What every function shares for the life of its process: the database, the connections, and as
/// whom it calls. Providers are added by the functions that need them: `TranslationService`,
/// `PushService`, `ModelService`.
package struct ChatServices: Sendable {
  package let paths: ChatPaths
  let project: String
  let tokens: any AccessTokenSource
  private let transport: HTTPClient
  private let endpoint: FirestoreEndpoint
  private let leaseDuration: Duration
  private let gates: ProviderGates
  private let memory = ConversationMemory()
  private let prices: PriceTable
  private let controls = ControlsReader()

  /// Reads its variables once. Each base URL defaults to production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, now: @escaping @Sendable () -> Timestamp = { .now })
    throws(StatusError)
  {
    paths = try ChatPaths(configuration)
    project = try configuration.require("GOOGLE_CLOUD_PROJECT")
    leaseDuration = try Self.leaseDuration(configuration)
    prices = try PriceTable(configuration["PRICES"])
    transport = HTTPClient(
      userAgent: "worldchat-functions",
      configuration: HTTPClientConfiguration(environment: configuration.all)
    )

    gates = ProviderGates()
    let source: any AccessTokenSource =
      if let path = configuration["GOOGLE_APPLICATION_CREDENTIALS"] {
        try ServiceAccount(path: path, transport: transport) { now().seconds }
      } else {
        MetadataServer(host: configuration["GCE_METADATA_HOST"], transport: transport)
      }
    tokens = CachedAccessToken(GatedAccessToken(source, gates: gates))
    let database = DatabaseName(
      project: project,
      database: configuration["FIRESTORE_DATABASE"] ?? "(default)"
    )
    endpoint =
      if let host = configuration["FIRESTORE_EMULATOR_HOST"] {
        try .emulator(host: host, database: database)
      } else {
        .production(database: database, tokens: tokens)
      }
  }

  /// Runs a function's code on the thread of its requests.
  package var executor: any FunctionExecutor { transport }

  /// The variables read above, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("GOOGLE_CLOUD_PROJECT", required: true),
    .init("FIRESTORE_DATABASE", required: false),
    .init("FIRESTORE_EMULATOR_HOST", required: false),
    .init("GCE_METADATA_HOST", required: false),
    .init("GOOGLE_APPLICATION_CREDENTIALS", required: false),
    .init("LEASE_SECONDS", required: false),
    .init("MESSAGES_PATH", required: false),
    .init("PRICES", required: false),
  ]

  /// How long what one invocation is doing is left to it: if it is killed, others go on after that.
  /// It is also as long as a provider may take for one answer that others wait for.
  ///
  /// Environment: `LEASE_SECONDS`, default 10.
  private static func leaseDuration(
    _ configuration: Configuration
  ) throws(StatusError) -> Duration {
    guard let text = configuration["LEASE_SECONDS"] else { return .seconds(10) }
    guard let seconds = Int(text), (1...60).contains(seconds) else {
      throw .configuration(.invalidArgument, "LEASE_SECONDS is not a number from 1 to 60")
    }
    return .seconds(seconds)
  }

  /// The session of an invocation of a function that isn't paused.
  ///
  /// - Throws: `UNAVAILABLE` if `config/functions` has it paused.
  package func admit(_ context: FunctionContext) async throws(StatusError) -> ChatSession {
    let session = session(context)
    let controls = try await controls.controls(
      of: context.function,
      session.firestore,
      isFresh: context.isFresh
    )
    guard !controls.isPaused else { throw .paused(context.function) }
    return session
  }

  /// What keeps an invocation's paid calls within limits.
  ///
  /// - Parameters:
  ///   - function: whose limits they are.
  ///   - uid: the user whose text or question it is, nil for nobody's.
  func spending(
    of function: String,
    by uid: String?,
    _ session: ChatSession,
    withoutCount: Spending.WithoutCount
  ) -> Spending {
    Spending(
      of: function,
      by: uid,
      controls,
      firestore: session.firestore,
      context: session.context,
      withoutCount: withoutCount
    )
  }

  /// The database for one invocation: with its deadline, its trace, its record.
  func session(_ context: FunctionContext) -> ChatSession {
    let record = context.record
    let firestore = FirestoreClient(
      endpoint: endpoint,
      transport: transport,
      deadline: context.deadline,
      traceparent: context.traceparent,
      onCommit: { record.record(writes: $0.compactMap(InvocationRecord.Write.init)) }
    )
    return ChatSession(
      context: context,
      paths: paths,
      firestore: firestore,
      leases: Leases(
        firestore: firestore,
        holder: context.sources.newID(),
        duration: leaseDuration,
        deadline: context.deadline,
        random: context.sources.random
      ),
      prices: prices,
      memory: memory
    )
  }

  /// What is kept of an invocation's time to write down what happened.
  static let reserve = Leases.reserve

  /// A provider's requests for one invocation.
  ///
  /// - Parameter budget: how long the provider may take in all; nil for as long as there is.
  func provider(_ context: FunctionContext, budget: Duration?) -> ProviderSession {
    let end = context.deadline - Self.reserve
    return ProviderSession(
      transport: transport,
      deadline: budget.map { min(end, .now + $0) } ?? end,
      traceparent: context.traceparent,
      gates: gates
    )
  }
}

/// What one invocation reads and writes with.
package struct ChatSession: Sendable {
  package let context: FunctionContext
  package let paths: ChatPaths
  package let firestore: FirestoreClient
  package let leases: Leases
  package var prices = PriceTable.standard
  package var memory = ConversationMemory()

  /// When waiting for others ends: what is left is for writing down what happened.
  package var patience: ContinuousClock.Instant { context.deadline - ChatServices.reserve }

  /// Waits before a commit is tried again that met another: each time a little longer and by
  /// chance, so that others get their turn.
  ///
  /// - Parameter conflict: how many there were before.
  package func pause(after conflict: Int) async {
    let longest = UInt64(min(10 * (conflict + 1), 200))
    try? await Task.sleep(for: .milliseconds(context.sources.random() % longest))
  }

  /// The profiles that exist, by user id.
  ///
  /// - Parameter uids: ids as `Value.userID` has them.
  package func profiles(of uids: some Sequence<String>) async throws(StatusError)
    -> [String: UserProfile]
  {
    let documents = try await firestore.documents(userNames(uids))
    return Dictionary(documents.map { ($0.id, UserProfile($1)) }) { first, _ in first }
  }

  /// The same of users whose documents a snapshot covers.
  package func profiles(
    of uids: some Sequence<String>,
    in snapshot: Snapshot
  ) throws(StatusError) -> [String: UserProfile] {
    var profiles: [String: UserProfile] = [:]
    for name in try userNames(uids) { profiles[name.id] = snapshot[name].map(UserProfile.init) }
    return profiles
  }

  /// The documents of users' profiles, each once.
  package func userNames(
    _ uids: some Sequence<String>
  ) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for uid in Set(uids) { names.append(try userName(uid)) }
    return names
  }

  /// The document of a user's profile.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id can't be a document's.
  package func userName(_ uid: String) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: ResourcePath(segments: ["users", uid])
    )
  }

  /// The document of a conversation by its id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id can't be a document's.
  package func conversationName(_ id: String) throws(StatusError) -> DocumentName {
    // The path of a conversation is a message's without its last two segments.
    let message = try paths.message("m", in: id)
    return try conversationName(of: message)
  }

  /// The document of the conversation that a message is in.
  package func conversationName(of message: ResourcePath) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: ChatPaths.conversation(of: message)
    )
  }

  /// The document of a message by its conversation's id and its own.
  ///
  /// - Throws: `INVALID_ARGUMENT` if an id can't be a document's.
  package func messageName(
    _ id: String,
    in conversationID: String
  ) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: paths.message(id, in: conversationID)
    )
  }
}

extension StatusError {
  /// A call about a conversation by nobody. It is thrown before anything is read.
  package static var notSignedIn: StatusError {
    StatusError(.unauthenticated, "a call about a conversation needs a signed-in user")
  }

  /// A conversation the caller isn't in, or that isn't there: a stranger can't tell which.
  package static var notAMember: StatusError {
    StatusError(.permissionDenied, "the caller is not in this conversation")
  }
}

extension InvocationRecord.Write {
  /// nil for what no reader of a result wants to know: leases come and go with every effect, counts
  /// go up, and a check changes nothing.
  fileprivate init?(_ write: FirestoreModel.Write) {
    let collection = write.name.path.segments.first
    guard collection != Leases.collection, collection != Spending.collection else { return nil }
    let operation: Operation
    switch (write.operation, write.currentDocument) {
    case (.verify, _): return nil
    case (.delete, _): operation = .delete
    case (_, .exists(false)): operation = .create
    case (_, .exists(true)), (_, .updateTime): operation = .update
    case (_, nil): operation = .set
    }
    self.init(document: write.name.path.description, operation: operation)
  }
}

extension HTTPClient: FunctionExecutor {}
