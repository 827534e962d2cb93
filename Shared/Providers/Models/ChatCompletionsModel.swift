package import Core
import HTTPClient

/// A model behind OpenAI's chat completions or a compatible server. `Dialect` lists the
/// differences.
///
/// Source: platform.openai.com/docs/api-reference/chat/create, and for Azure
/// learn.microsoft.com/azure/ai-services/openai/reference.
package struct ChatCompletionsModel: LanguageModel {
  private let url: String
  private let key: Secret?
  private let isAzure: Bool
  private let model: String
  private let dialect: KnownDialect
  private let session: ProviderSession

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - baseURL: OPENAI_BASE_URL, with `/v1` like in OpenAI's clients, or with
  ///     `/openai/deployments/NAME` for Azure.
  ///   - key: the API key, or `nil` for a server that requires none.
  ///   - model: OPENAI_MODEL.
  ///   - azureVersion: OPENAI_API_VERSION. If it is set, the key is sent in Azure's header.
  ///   - dialect: the dialect that the process has learned. The default is a new dialect, which no
  ///     other model shares.
  package init(
    baseURL: String?,
    key: Secret?,
    model: String?,
    azureVersion: String? = nil,
    dialect: KnownDialect = KnownDialect(),
    session: ProviderSession
  ) {
    let base = (baseURL ?? "https://api.openai.com/v1").withoutTrailingSlashes
    url = "\(base)/chat/completions" + (azureVersion.map { "?api-version=\($0)" } ?? "")
    self.key = key
    isAzure = azureVersion != nil
    self.model = model ?? "gpt-4o-mini"
    self.dialect = dialect
    self.session = session
  }

  package func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)? = nil
  ) async throws(StatusError) -> Completion {
    let first = dialect.current
    while true {
      let current = dialect.current
      let request = try ChatCompletionsRequest(
        prompt,
        model: model,
        dialect: current,
        isStreamed: onText != nil
      )
      let response = try await send(request, onText)
      if response.status == 200 {
        var completion = try completion(of: prompt, in: response, asked: request.maximumTokens)
        completion.findings = dialect.current.changes(from: first)
        return completion
      }
      let refusal = ModelRefusal(response)
      if response.status == 400, refusal.isFiltered {
        return Completion(ending: .refused, engine: model)
      }
      var refined = current
      if Self.mayBeAboutMembers(response, refusal) { refined.learn(from: refusal) }
      guard refined != current else {
        throw ModelProvider.failure(response, variables: "OPENAI")
      }
      // Another invocation may have changed the dialect meanwhile.
      dialect.learn { if $0 == current { $0 = refined } else { $0.learn(from: refusal) } }
    }
  }

  private static func mayBeAboutMembers(_ response: HTTPResponse, _ refusal: ModelRefusal) -> Bool {
    [400, 422, 501].contains(response.status) && !refusal.isTooLong && !refusal.isOutOfMoney
  }

  private func send(
    _ request: ChatCompletionsRequest,
    _ onText: (@Sendable (String) -> Void)?
  ) async throws(StatusError) -> HTTPResponse {
    let receiver = onText.map { onText in
      StreamedText(delta: ChatCompletionsResponse.delta) { text in
        if let json = AnswerText.beginning(in: text) { onText(String(json)) }
      }
    }
    return try await session.send(
      url,
      request,
      headers: [authorization].compactMap(\.self),
      address: "OPENAI_BASE_URL",
      key: "OPENAI_API_KEY",
      retry: ModelProvider.retry,
      maximumResponseBytes: ModelProvider.maximumResponseBytes,
      receiver: receiver
    )
  }

  private var authorization: HTTPHeader? {
    key.map { key in
      isAzure
        ? HTTPHeader("api-key", key.reveal())
        : HTTPHeader("Authorization", "Bearer \(key.reveal())")
    }
  }

  /// Returns the completion in a response.
  ///
  /// - Parameter asked: the maximum number of tokens in the request.
  private func completion(
    of prompt: Prompt,
    in response: HTTPResponse,
    asked: Int
  ) throws(StatusError) -> Completion {
    guard let body = try ChatCompletionsResponse(response), let choice = body.choices.first else {
      throw ModelProvider.nonsense
    }
    let completion = Completion(
      ending: Self.ending(of: choice, prompt: prompt),
      engine: ModelProvider.engine(body.model?.value, asked: model),
      promptTokens: body.usage?.promptTokens?.value ?? 0,
      cachedTokens: body.usage?.cachedTokens ?? 0,
      completionTokens: body.usage?.completionTokens?.value ?? 0,
      isCounted: body.usage?.isCounted ?? false
    )
    let isThoughtful = choice.message.isThoughtful || body.usage?.reasoningTokens ?? 0 > 0
    dialect.learn { $0.learn(from: completion, asked: asked, isThoughtful: isThoughtful) }
    return completion
  }

  /// Returns the ending of an answer. The finish reason takes precedence, then the refusal, then
  /// the text.
  private static func ending(
    of choice: ChatCompletionsResponse.Choice,
    prompt: Prompt
  ) -> Completion.Ending {
    switch choice.finishReason {
    case "length": return .truncated
    case "content_filter": return .refused
    default: break
    }
    guard choice.message.refusal ?? "" == "" else { return .refused }
    do throws(StatusError) {
      let json = AnswerText.json(in: choice.message.content ?? "")
      return .answered(try prompt.template.output.check(Data(json.utf8)))
    } catch {
      return .malformed(error.message)
    }
  }
}
