import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// The function that translates a message into the language of each of its readers.
///
/// It runs when a message is created or deleted, or its text changes. Clients call it for a text, a
/// message or several messages of a conversation's history.
@main struct TranslateMessage: Function {
  private let services: ChatServices
  private let translation: TranslationService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    translation = try TranslationService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let paths = try ChatPaths(configuration)
    return FunctionManifest(
      name: "translateMessage",
      triggers: paths.layouts.flatMap(\.textTriggers),
      callable: true,
      writes: paths.layouts.map(\.messages.description) + [
        "translations/{key}", "translationFailures/{key}", "functionEvents/{key}", "leases/{key}",
        "limits/{key}",
      ],
      secrets: TranslationService.secrets,
      environment: ChatServices.environment + TranslationService.environment,
      timeoutSeconds: 30,
      // An invocation mostly waits for a provider. At five invocations a second, each of two
      // seconds, ten run at a time. The limit leaves room for peaks.
      concurrency: 32
    )
  }

  func handle(
    _ event: TriggeredEvent,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    let translator = translation.translator(session, for: event.senderID)
    let former = event.event.oldValue.map(Message.init)
    let release = TextRelease(session, translator)
    guard event.event.change != .deleted else {
      let released = if let former { try await release.release(former) } else { 0 }
      return released == 0
        ? .skipped(reason: "the message no longer exists") : .done(Released(released: released))
    }
    // The former text is removed even if translating the new one fails.
    let outcome: Result<FunctionOutcome, any Error>
    do {
      outcome = .success(try await MessageTranslation(session, translator).translate(event.event))
    } catch {
      outcome = .failure(error)
    }
    if let former { _ = try await release.release(former) }
    return try outcome.get()
  }

  /// The function's result for a deleted message.
  private struct Released: Encodable {
    /// The number of cache entries that were deleted, or whose count of uses was reduced.
    var released: Int
  }

  func handle(
    _ call: TranslateCall,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    let session = try await services.admit(context)
    let translator = translation.translator(session, for: caller?.uid)
    return try await CallTranslation(session, translator, caller: caller)
      .answer(call.form())
  }
}
