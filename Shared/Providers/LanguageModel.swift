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

/// A count of tokens as a provider gives it: one that can't be is none.
struct TokenCount: Decodable {
  var value: Int

  init(from decoder: any Decoder) throws {
    let count = try? decoder.singleValueContainer().decode(Int.self)
    value = count.map { (0...Self.maximum).contains($0) ? $0 : 0 } ?? 0
  }

  /// No model takes or gives as much.
  private static let maximum = 100_000_000
}

/// What the providers of models have in common.
enum ModelProvider {
  static let name = "the language model"

  /// Answers are short: what is longer than this isn't one.
  static let maximumResponseBytes = 1 << 20

  /// A model's name as it goes into logs and documents: what a provider calls it, if that can be a
  /// name.
  static func engine(_ name: String?, asked: String) -> String {
    guard let name, (1...100).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return asked }
    return name
  }

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
    case 402: .configuration(.resourceExhausted, "\(name)'s quota for \(key) is used up")
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
