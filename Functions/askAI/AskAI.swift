import Chat
import Core
import FunctionRuntime

/// Answers a member's question about their conversation from what was said in it.
@main struct AskAI: Function {
  private let services: ChatServices
  private let models: ModelService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    models = try ModelService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "askAI",
      callable: true,
      writes: ["aiChats/{uid}/queries/{queryId}", "limits/{key}"],
      secrets: try ModelService.secrets(configuration),
      environment: ChatServices.environment + ModelService.environment,
      timeoutSeconds: 60
    )
  }

  func handle(
    _ call: AskCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    return try await QueryAnswering(session, models.model(session, for: caller?.uid))
      .answer(call, caller: caller)
  }
}

/// What a client sends.
struct AskCall: Decodable, Sendable {
  /// The longest question, in Unicode scalars.
  static let maximumLength = 1_000

  var conversationId: String
  /// May be absent if `queryId` says which question it is.
  var query: String?
  /// The document of the question: one that was asked before and is to be answered now, or the id
  /// that the client has chosen for a new one.
  var queryId: String?

  /// - Throws: `INVALID_ARGUMENT` for a question that says nothing or too much.
  func check() throws(StatusError) {
    guard let query else {
      guard queryId != nil else { throw StatusError(.invalidArgument, "query is missing") }
      return
    }
    guard Message.hasText(query) else { throw StatusError(.invalidArgument, "query is empty") }
    guard query.unicodeScalars.count <= Self.maximumLength else {
      throw StatusError(
        .invalidArgument,
        "query is longer than \(Self.maximumLength) characters"
      )
    }
  }
}
