import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// The function that explains idioms, cultural references, formality and slang in a message to
/// readers of other languages.
///
/// It runs when a message is created or deleted, or its text changes. Clients call it for a message
/// that they show.
@main struct AnalyzeMessage: Function {
  private let services: ChatServices
  private let models: ModelService
  private let prefilter: CulturePrefilter

  init(configuration: Configuration) throws {
    prefilter = try CulturePrefilter(configuration)
    services = try ChatServices(configuration)
    models = try ModelService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "analyzeMessage",
      triggers: paths.layouts.flatMap(\.textTriggers),
      callable: true,
      writes: ["aiAnalysis/{messageId}", "functionEvents/{key}", "leases/{key}", "limits/{key}"],
      secrets: try ModelService.secrets(configuration),
      environment: ChatServices.environment + ModelService.environment
        + [.init(CulturePrefilter.variable, required: false)],
      timeoutSeconds: 60
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    let analysis = MessageAnalysis(session, models.model(session, for: event.senderID), prefilter)
    let message = event.event.document
    return event.event.change == .created
      ? try await analysis.analyze(message) : try await analysis.refresh(message)
  }

  func handle(
    _ call: AnalyzeCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    return try await MessageAnalysis(session, models.model(session, for: caller?.uid), prefilter)
      .answer(call, caller: caller)
  }
}
