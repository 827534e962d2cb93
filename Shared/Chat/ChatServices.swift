package import Core
package import FirestoreClient
package import FirestoreModel
package import FunctionRuntime
import GoogleAuth
import HTTPClient
package import Providers

/// The settings, HTTP client and access tokens that a function process creates once.
///
/// Functions that need a provider add its service: `TranslationService`, `PushService` or
/// `ModelService`.
package struct ChatServices: Sendable {
  package let paths: ChatPaths
  let project: String
  let tokens: any AccessTokenSource
  private let transport: HTTPClient
  private let endpoint: FirestoreEndpoint
  private let leaseDuration: Duration
  /// The run of the emulator that started this process, or `nil` in the cloud.
  private let run: String?
  private let gates: ProviderGates
  private let memory = ConversationMemory()
  private let prices: PriceTable
  private let controls = ControlsReader()

  /// Creates the services from environment variables.
  ///
  /// Without `FIRESTORE_EMULATOR_HOST`, they use Firestore in production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, now: @escaping @Sendable () -> Timestamp = { .now })
    throws(StatusError)
  {
    paths = try ChatPaths(configuration)
    project = try configuration.require("GOOGLE_CLOUD_PROJECT")
    leaseDuration = try Self.leaseDuration(configuration)
    run = configuration["INVOCATION_RUN"]
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

  /// The executor that runs a function's code on the thread of its HTTP requests.
  package var executor: any FunctionExecutor { transport }

  /// The variables that the initializer reads, for a function's manifest.
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

  /// Returns the duration of a lease.
  ///
  /// If an invocation is killed, another one can take over its work after this time. While other
  /// invocations wait for a provider's response, the response has the same time limit.
  ///
  /// Environment: `LEASE_SECONDS`, default 10.
  private static func leaseDuration(
    _ configuration: Configuration
  ) throws(StatusError) -> Duration {
    guard let text = configuration["LEASE_SECONDS"] else { return .seconds(10) }
    guard let seconds = Int(text), (1...60).contains(seconds) else {
      throw .configuration(.invalidArgument, "LEASE_SECONDS must be a whole number from 1 to 60")
    }
    return .seconds(seconds)
  }

  /// Returns the session of an invocation, unless the function is paused.
  ///
  /// - Throws: `UNAVAILABLE` if `config/functions` pauses the function.
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

  /// Returns the limits of an invocation's paid calls.
  ///
  /// - Parameters:
  ///   - function: the function whose limits apply.
  ///   - uid: the user whose text or question causes the calls, or `nil` if there is none.
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

  /// Returns the session of one invocation, with its deadline, trace and record.
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
        holder: Leases.holder(context.sources.newID(), of: run),
        duration: leaseDuration,
        deadline: context.deadline,
        random: context.sources.random
      ),
      prices: prices,
      memory: memory
    )
  }

  /// The time that an invocation keeps in reserve to write its outcome.
  static let reserve = Leases.reserve

  /// Returns the session of a provider's requests for one invocation.
  ///
  /// - Parameter budget: the time limit of all requests together, or `nil` to use the invocation's
  ///   deadline.
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

/// The database, leases and settings that one invocation uses.
package struct ChatSession: Sendable {
  package let context: FunctionContext
  package let paths: ChatPaths
  package let firestore: FirestoreClient
  package let leases: Leases
  package var prices = PriceTable.standard
  package var memory = ConversationMemory()

  /// The time at which the invocation stops waiting for other invocations. The rest of its time
  /// is for writing the outcome.
  package var waitDeadline: ContinuousClock.Instant { context.deadline - ChatServices.reserve }

  /// Waits before the retry of a commit that conflicted with another.
  ///
  /// The wait is random, and its maximum grows with each conflict, so that the other commit can
  /// succeed.
  ///
  /// - Parameter conflict: the number of earlier conflicts.
  package func pause(after conflict: Int) async {
    let longest = UInt64(min(10 * (conflict + 1), 200))
    try? await Task.sleep(for: .milliseconds(context.sources.random() % longest))
  }

  /// Records the time from a message's creation to a step of its way to its readers.
  ///
  /// Nothing is recorded of a message without a time.
  ///
  /// - Parameter time: the time of the step, if possible by Firestore's clock.
  package func record(_ step: MessageLatencies.Step, of message: Message, at time: Timestamp) {
    guard let start = message.timestamp else { return }
    context.record.record(step, after: time.duration(since: start))
  }

  /// Returns the existing profiles by user id.
  ///
  /// - Parameter uids: ids as `Value.userID` returns them.
  package func profiles(of uids: some Sequence<String>) async throws(StatusError)
    -> [String: UserProfile]
  {
    let documents = try await firestore.documents(userNames(uids))
    return Dictionary(documents.map { ($0.id, UserProfile($1)) }) { first, _ in first }
  }

  /// Returns the existing profiles by user id.
  ///
  /// - Parameter snapshot: a snapshot for which all these profiles were read.
  package func profiles(
    of uids: some Sequence<String>,
    in snapshot: Snapshot
  ) throws(StatusError) -> [String: UserProfile] {
    var profiles: [String: UserProfile] = [:]
    for name in try userNames(uids) { profiles[name.id] = snapshot[name].map(UserProfile.init) }
    return profiles
  }

  /// Returns the names of users' profile documents without duplicates.
  package func userNames(
    _ uids: some Sequence<String>
  ) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for uid in Set(uids) { names.append(try userName(uid)) }
    return names
  }

  /// Returns the name of a user's profile document.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  package func userName(_ uid: String) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: ResourcePath(segments: ["users", uid])
    )
  }
}

extension StatusError {
  /// The error for a caller who isn't signed in. It is thrown before anything is read.
  package static var notSignedIn: StatusError {
    StatusError(.unauthenticated, "a call about a conversation needs a signed-in user")
  }

  /// The error for a conversation that the caller isn't in, or that doesn't exist.
  ///
  /// The caller can't tell the two apart.
  package static var notAMember: StatusError {
    StatusError(.permissionDenied, "the caller is not in this conversation")
  }
}

extension InvocationRecord.Write {
  /// Creates the record of a write, or `nil` for a write that isn't part of the function's effect.
  ///
  /// Leases and counts aren't recorded. Neither are `verify` operations, which change nothing.
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
