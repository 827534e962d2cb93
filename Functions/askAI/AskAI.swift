import Chat
import Core
import FunctionRuntime

/// The function that answers a member's question about a conversation from its messages.
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

/// A client's call with a question.
struct AskCall: Decodable, Sendable {
  /// The maximum length of a question in Unicode scalars.
  static let maximumLength = 1_000

  var conversationId: String
  /// The question; optional if `queryId` is the id of an earlier question.
  var query: String?
  /// Another name of `query`: the field of the question's document.
  var userQuery: String?
  /// The id of the question's document: an earlier question to answer now, or an id that the client
  /// has chosen for a new one.
  var queryId: String?

  /// The question under either name.
  var question: String? { query ?? userQuery }

  /// Checks the question.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the question is missing, ambiguous, empty or too long.
  func check() throws(StatusError) {
    if let query, let userQuery, !query.hasSameBytes(as: userQuery) {
      throw StatusError(.invalidArgument, "query and userQuery differ: send one of them")
    }
    guard let question else {
      guard queryId != nil else { throw StatusError(.invalidArgument, "query is missing") }
      return
    }
    let member = query == nil ? "userQuery" : "query"
    guard Message.hasText(question) else {
      throw StatusError(.invalidArgument, "\(member) is empty")
    }
    guard question.unicodeScalars.count <= Self.maximumLength else {
      throw StatusError(
        .invalidArgument,
        "\(member) is longer than \(Self.maximumLength) characters"
      )
    }
  }
}
