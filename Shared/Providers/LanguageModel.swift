import HTTPTransport
package import Platform
package import RPCStatus

/// A model that answers prompts, whichever API it is behind.
package protocol LanguageModel: Sendable {
  /// Asks once.
  ///
  /// - Returns: what the provider answered and charged for, which may be no usable answer.
  /// - Throws: a configuration error for our key, model or address; `RESOURCE_EXHAUSTED`,
  ///   `UNAVAILABLE` and `DEADLINE_EXCEEDED` for what may pass.
  func complete(_ prompt: Prompt) async throws(StatusError) -> Completion
}

/// What came back for a prompt.
package struct Completion: Sendable, Hashable {
  package enum Ending: Sendable, Hashable {
    /// JSON that conforms to the prompt's schema.
    case answered(Data)
    /// The answer was cut off at the limit of tokens.
    case truncated
    /// The model, or a filter before it, declined.
    case refused
    /// The answer isn't what the schema says, with the reason. Nothing of the answer is in it.
    case malformed(String)
  }

  package var ending: Ending
  /// The model that answered, as the provider names it.
  package var engine: String
  package var promptTokens: Int
  package var completionTokens: Int

  package init(ending: Ending, engine: String, promptTokens: Int = 0, completionTokens: Int = 0) {
    self.ending = ending
    self.engine = engine
    self.promptTokens = promptTokens
    self.completionTokens = completionTokens
  }
}

/// What the providers of models have in common.
enum ModelProvider {
  static let name = "the language model"

  /// Answers are short: what is longer than this isn't one.
  static let maximumResponseBytes = 1 << 20

  static let nonsense = StatusError(.unavailable, "\(name) answered with nonsense")

  /// - Parameter isFinal: whether a response says that no repetition will help.
  static func retry(unless isFinal: @escaping @Sendable (HTTPResponse) -> Bool) -> RetryPolicy {
    RetryPolicy(
      maximumAttempts: 2,
      // 529 is Anthropic's "overloaded".
      statuses: RetryPolicy.transientStatuses.union([409, 529]),
      isFinal: isFinal
    )
  }

  /// What a status says where the provider's own error says nothing more.
  ///
  /// - Parameters:
  ///   - key: the variable of the key, and `model` that of the model's name.
  static func failure(_ response: HTTPResponse, key: String, model: String) -> StatusError {
    switch response.status {
    case 401, 403: .configuration(.permissionDenied, "\(name) refused \(key)")
    case 404: .configuration(.notFound, "\(name)'s provider does not know \(model)")
    case 400, 413, 422:
      .configuration(
        .failedPrecondition,
        "\(name)'s provider refused the request; does \(model) take JSON schemas?"
      )
    case 429:
      StatusError(.resourceExhausted, "\(name) is over its quota", retryAfter: response.retryAfter)
    case 408, 409, 500...:
      StatusError(
        .unavailable,
        "\(name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default: StatusError(.internal, "\(name) answered \(response.status)")
    }
  }
}
