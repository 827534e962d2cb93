package import Core
package import Cryptography
package import HTTPService

/// The fakes of the providers that functions call in production, served on loopback.
///
/// The fakes are as strict as the real providers where strictness catches mistakes of the
/// functions. Every response names the engine that produced it.
package final class ProviderFakes: HTTPService {
  package let name = "providers"

  private let usage = ProviderUsage()
  private let faults: FaultQueue
  private let translation: TranslationFake
  private let advancedTranslation: AdvancedTranslationFake
  private let libreTranslate: LibreTranslateFake
  private let oauth: OAuthFake
  package let push: PushFake
  /// The names of the engines that produce translations and model responses, as a text to show.
  package let engines: String
  /// A few texts that the translation fakes can translate, by language.
  package let examples: [String: [String]]
  private let chatCompletions: ChatCompletionsFake
  private let messages: MessagesFake
  private let elsewhere: [ProviderName: any HTTPService]

  /// Creates the fakes.
  ///
  /// - Parameters:
  ///   - translationKey: the API key that Translation accepts; the next two keys are OpenAI's and
  ///     Anthropic's.
  ///   - now: returns the time in seconds since 1970.
  ///   - newID: returns a new unique ID.
  ///   - translator: the engine of the fakes of all translation services.
  ///   - chaos: returns the number that chooses a request's fault, or `nil` for no fault. Its
  ///     argument is a text that identifies the request.
  ///   - elsewhere: the services that answer in place of providers' fakes, by provider.
  ///   - onPush: called with each push that a device receives, in the form of the inbox.
  package init(
    translationKey: String,
    openAIKey: String,
    anthropicKey: String,
    now: @escaping @Sendable () -> Int64,
    newID: @escaping @Sendable () -> String,
    translator: OfflineTranslator = OfflineTranslator(),
    chaos: @escaping @Sendable (String) -> UInt64? = { _ in nil },
    elsewhere: [ProviderName: any HTTPService] = [:],
    onPush: @escaping @Sendable (JSONValue) -> Void = { _ in }
  ) {
    self.elsewhere = elsewhere
    faults = FaultQueue(chaos: chaos)
    oauth = OAuthFake(now: now, newToken: newID)
    translation = TranslationFake(
      key: translationKey,
      oauth: oauth,
      usage: usage,
      translator: translator
    )
    advancedTranslation = AdvancedTranslationFake(
      oauth: oauth,
      usage: usage,
      translator: translator
    )
    libreTranslate = LibreTranslateFake(
      key: translationKey,
      usage: usage,
      translator: translator
    )
    examples = translator.examples
    engines = "\(translator.engines.joined(separator: ", else ")); \(RuleEngine.name)"
    push = PushFake(oauth: oauth, now: now, newID: newID, onPush: onPush)
    chatCompletions = ChatCompletionsFake(key: openAIKey, now: now, newID: newID)
    messages = MessagesFake(key: anthropicKey, newID: newID)
  }

  /// Sets the service account that the OAuth fake accepts. Before this call it accepts none.
  package func install(_ account: RSAKey, project: String) {
    oauth.install(account, project: project)
  }

  /// Returns the response to a request for `/`, by which Google's clients detect a metadata server.
  package func greeting(_ request: ServiceRequest) -> ServiceResponse {
    var response = ServiceResponse.text("Ok\n")
    if request.headers[OAuthFake.flavor.name] != nil {
      response.headers.append(OAuthFake.flavor)
    }
    return response
  }

  /// Returns a Boolean value that indicates whether the request is cheap enough for the event loop:
  /// its body is small, and no service replaces the fake.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool {
    request.body.count <= 4 * 1024
      && ProviderName(path: request.path).map { elsewhere[$0] == nil } ?? true
  }

  /// Returns the response of the fake, or of the next fault, if one is queued.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    if request.path.first == "faults" { return try faults.respond(to: request) }
    let provider = ProviderName(path: request.path)
    guard let provider, let fault = faults.next(for: provider, request) else {
      return try await answer(request, of: provider)
    }
    if let outcome = fault.outcome { usage.count(provider.rawValue, outcome: outcome) }
    return try await fault.answer(request) { () async throws(StatusError) in
      try await answer(request, of: provider).collected()
    }
  }

  private func answer(
    _ request: ServiceRequest,
    of provider: ProviderName?
  ) async throws(StatusError) -> ServiceResponse {
    guard let provider, let other = elsewhere[provider] else { return try await answer(request) }
    let response = try await other.respond(to: request)
    usage.count(provider.rawValue, outcome: "\(response.status)")
    return response
  }

  private func answer(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let request = request.limitingCombiningMarks
    switch (request.path.first, request.path.dropFirst().first) {
    case ("usage", nil) where request.method == "GET": return usage.answer
    case ("language", _):
      return counted("translation", try await translation.respond(to: request))
    case ("v3", _):
      return counted("translation", try await advancedTranslation.respond(to: request))
    case (let name?, nil) where LibreTranslateFake.paths.contains(name):
      return counted("translation", try await libreTranslate.respond(to: request))
    case ("token", _), ("computeMetadata", _):
      return counted("oauth", try oauth.respond(to: request))
    case ("fcm", _): return try push.respond(to: request)
    case ("v1", "projects"):
      return counted("fcm", try push.respond(to: request))
    case ("v1", "messages"): return counted("anthropic", messages.respond(to: request))
    case ("v1", _): return counted("openai", chatCompletions.respond(to: request))
    default: throw notFound(request)
    }
  }

  private func counted(_ provider: String, _ response: ServiceResponse) -> ServiceResponse {
    usage.count(provider, outcome: "\(response.status)")
    return response
  }
}

extension StatusError {
  /// The error for a request that a fake doesn't serve.
  ///
  /// - Parameter part: The part of the request that is unknown, such as `path`.
  static func notServed(by fake: String, _ part: String) -> StatusError {
    StatusError(.notFound, "\(fake) has no such \(part): see emulator/PROVIDERS.md")
  }
}

/// Returns an error in the format of Google's APIs, with the details that clients branch on.
func googleError(
  _ status: StatusCode,
  _ message: String,
  reason: String? = nil,
  details: [JSONValue] = []
) -> ServiceResponse {
  var error: JSONObject = [
    "code": .integer(Int64(status.httpStatus)),
    "message": .string(message),
    "status": .string(status.rawValue),
  ]
  if let reason {
    error["errors"] = .array([
      .object([
        "message": .string(message), "domain": "global", "reason": .string(reason),
      ])
    ])
  }
  if !details.isEmpty { error["details"] = .array(details) }
  return .json(JSONValue.object(["error": .object(error)]), status: status.httpStatus)
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}
