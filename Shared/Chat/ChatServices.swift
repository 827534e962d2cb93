package import FirestoreModel
package import FirestoreREST
package import FunctionRuntime
import GoogleAuth
import HTTPTransport
package import Providers
package import RPCStatus

/// What the functions share for the life of their process: where everything comes from.
package struct ChatServices: Sendable {
  package let paths: ChatPaths
  private let project: String
  private let transport: HTTPTransport
  private let endpoint: FirestoreEndpoint
  private let tokens: any AccessTokenSource
  private let translationBaseURL: String?
  private let translationKey: Secret
  private let pushBaseURL: String?

  /// Reads all variables once. Each base URL defaults to production.
  ///
  /// - Throws: a configuration error that names the variable.
  package init(_ configuration: Configuration, now: @escaping @Sendable () -> Timestamp = { .now })
    throws(StatusError)
  {
    paths = try ChatPaths(configuration)
    project = try configuration.require("GOOGLE_CLOUD_PROJECT")
    translationKey = Secret(try configuration.require("GOOGLE_TRANSLATION_API_KEY"))
    translationBaseURL = configuration["TRANSLATION_BASE_URL"]
    pushBaseURL = configuration["FCM_BASE_URL"]
    transport = HTTPTransport(
      userAgent: "worldchat-functions",
      configuration: TransportConfiguration(environment: configuration.all)
    )

    if let path = configuration["GOOGLE_APPLICATION_CREDENTIALS"] {
      let account = try ServiceAccount(path: path, transport: transport) { now().seconds }
      tokens = CachedAccessToken(account)
    } else {
      tokens = CachedAccessToken(
        MetadataServer(host: configuration["GCE_METADATA_HOST"], transport: transport)
      )
    }
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

  /// The variables read above, for a function's manifest.
  package static let environment: [FunctionManifest.Variable] = [
    .init("GOOGLE_CLOUD_PROJECT", required: true),
    .init("FIRESTORE_DATABASE", required: false),
    .init("FIRESTORE_EMULATOR_HOST", required: false),
    .init("GCE_METADATA_HOST", required: false),
    .init("GOOGLE_APPLICATION_CREDENTIALS", required: false),
    .init("MESSAGES_PATH", required: false),
    .init("TRANSLATION_BASE_URL", required: false),
  ]

  /// The variables that hold keys.
  package static let secrets = ["GOOGLE_TRANSLATION_API_KEY"]

  /// How long a provider may take in all: what is left of an invocation then still suffices to
  /// write down what happened, and to push the original where a translator hangs.
  private static let translationBudget = Duration.seconds(10)
  private static let pushBudget = Duration.seconds(20)

  /// Clients for one invocation: its deadline, its trace, its record.
  package func session(_ context: FunctionContext) -> ChatSession {
    let record = context.record
    let firestore = FirestoreClient(
      endpoint: endpoint,
      transport: transport,
      deadline: context.deadline,
      traceparent: context.traceparent,
      onCommit: { record.record(writes: $0.map(InvocationRecord.Write.init)) }
    )
    func provider(_ budget: Duration) -> ProviderSession {
      ProviderSession(
        transport: transport,
        deadline: min(context.deadline, .now + budget),
        traceparent: context.traceparent
      )
    }
    return ChatSession(
      context: context,
      paths: paths,
      firestore: firestore,
      translator: Translator(
        firestore: firestore,
        provider: TranslationClient(
          baseURL: translationBaseURL,
          key: translationKey,
          session: provider(Self.translationBudget)
        ),
        context: context
      ),
      push: PushClient(
        baseURL: pushBaseURL,
        project: project,
        tokens: tokens,
        session: provider(Self.pushBudget)
      )
    )
  }
}

/// The clients of one invocation.
package struct ChatSession: Sendable {
  package let context: FunctionContext
  package let paths: ChatPaths
  package let firestore: FirestoreClient
  package let translator: Translator
  package let push: PushClient

  /// The profiles that exist, by user id.
  package func profiles(of uids: some Sequence<String>) async throws(StatusError)
    -> [String: UserProfile]
  {
    var names: [DocumentName] = []
    for uid in Set(uids) { names.append(try firestore.name("users/\(uid)")) }
    let documents = try await firestore.documents(names)
    return Dictionary(uniqueKeysWithValues: documents.map { ($0.id, UserProfile($1)) })
  }
}

extension InvocationRecord.Write {
  fileprivate init(_ write: FirestoreModel.Write) {
    let operation: Operation =
      switch (write.operation, write.currentDocument) {
      case (.delete, _): .delete
      case (_, .exists(false)): .create
      case (_, .exists(true)), (_, .updateTime): .update
      case (_, nil): .set
      }
    self.init(document: write.name.path.description, operation: operation)
  }
}
