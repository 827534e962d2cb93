import Chat
import Core
import FirestoreModel
import FunctionRuntime

/// Gives every reader of a message a translation into their language.
///
/// Fires when a message is created, its text changes or it is deleted; clients call it for a text, a
/// message or a stretch of history.
@main struct TranslateMessage: Function {
  private let services: ChatServices
  private let translation: TranslationService

  init(configuration: Configuration) throws {
    services = try ChatServices(configuration)
    translation = try TranslationService(configuration, services)
  }

  var executor: (any FunctionExecutor)? { services.executor }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    let messages = try ChatPaths(configuration).messages.description
    return FunctionManifest(
      name: "translateMessage",
      triggers: [
        .init(eventType: EventType(.created), document: messages),
        .init(eventType: EventType(.updated), document: messages, fields: [FieldPath("text")]),
        .init(eventType: EventType(.deleted), document: messages),
      ],
      callable: true,
      writes: [
        messages, "translations/{key}", "translationFailures/{key}", "functionEvents/{key}",
        "leases/{key}", "limits/{key}",
      ],
      secrets: TranslationService.secrets,
      environment: ChatServices.environment + TranslationService.environment,
      timeoutSeconds: 30,
      // Almost all of its time it waits for a provider: what takes two seconds there and comes five
      // times a second needs more than ten at once, and room for a crowd.
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
        ? .skipped(reason: "the message is gone") : .done(Released(released: released))
    }
    // Whatever becomes of the new text, the former one goes, and the other way about.
    let outcome: Result<FunctionOutcome, any Error>
    do {
      outcome = .success(try await MessageTranslation(session, translator).translate(event.event))
    } catch {
      outcome = .failure(error)
    }
    if let former { _ = try await release.release(former) }
    return try outcome.get()
  }

  /// What the result says of a message that was deleted.
  private struct Released: Encodable {
    /// Entries of the cache that were deleted or have a use less.
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
