package import Core
import HTTPClient

/// A model that answers prompts, whichever API it is behind.
package protocol LanguageModel: Sendable {
  /// Asks once.
  ///
  /// - Parameter onText: gets all there is of the answer's JSON, each time it has grown, before the
  ///   answer is whole. It begins anew if the provider is asked again. nil asks for no stream.
  /// - Returns: what the provider answered and charged for, which may be no usable answer.
  /// - Throws: a configuration error for our key, model or address; `RESOURCE_EXHAUSTED`,
  ///   `UNAVAILABLE` and `DEADLINE_EXCEEDED` for what may pass.
  func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)?
  ) async throws(StatusError) -> Completion
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
  /// Those of the prompt's that the provider had cached.
  package var cachedTokens: Int
  package var completionTokens: Int
  /// Whether the provider said how many tokens there were. If not, nobody knows what it cost.
  package var isCounted: Bool
  /// What the server turned out to want otherwise than OpenAI, in words for the log.
  package var findings: [String] = []

  package init(
    ending: Ending,
    engine: String,
    promptTokens: Int = 0,
    cachedTokens: Int = 0,
    completionTokens: Int = 0,
    isCounted: Bool = true
  ) {
    self.ending = ending
    self.engine = engine
    self.promptTokens = promptTokens
    self.cachedTokens = cachedTokens
    self.completionTokens = completionTokens
    self.isCounted = isCounted
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

/// A model's name as a provider gives it: what isn't a text is none.
struct ModelName: Decodable {
  var value: String?

  init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(String.self)
  }
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

  /// What a server may take to read a model from its disk.
  private static let loadingTime = Duration.seconds(5)

  static let brokenOff = StatusError(.unavailable, "\(name) broke off its answer")
  static let nonsense = StatusError(.unavailable, "\(name) answered with nonsense")

  static let retry = HTTPRetryPolicy(
    maximumAttempts: 2,
    // 529 is Anthropic's "overloaded".
    statuses: HTTPRetryPolicy.transientStatuses.union([409, 529]),
    isFinal: { $0.status == 429 && ModelRefusal($0).isOutOfMoney }
  )

  /// What a status says where the provider's own error says nothing more.
  ///
  /// - Parameter prefix: of the variables that say which model is asked, where and as whom.
  static func failure(_ response: HTTPResponse, variables prefix: String) -> StatusError {
    let (key, model, address) = ("\(prefix)_API_KEY", "\(prefix)_MODEL", "\(prefix)_BASE_URL")
    let refusal = ModelRefusal(response)
    switch response.status {
    case 400..<500 where response.status == 402 || refusal.isOutOfMoney:
      return .configuration(.resourceExhausted, "\(name)'s quota for \(key) is used up")
    case 400...422 where refusal.isTooLong:
      return StatusError(.failedPrecondition, "the conversation is too long for \(name)")
    case 503 where refusal.isLoading:
      return StatusError(
        .unavailable,
        "\(name) is being loaded",
        retryAfter: response.retryAfter ?? loadingTime
      )
    case 401, 403: return .configuration(.permissionDenied, "\(name) refused \(key)")
    case 300..<400: return .redirect(name, response, address)
    case 404:
      return .configuration(
        .notFound,
        "\(name)'s provider does not know \(model), or \(address) is not its address"
      )
    case 400, 413, 422:
      return .configuration(
        .failedPrecondition,
        "\(name)'s provider refused the request; does \(model) take JSON schemas?"
      )
    case 429:
      return StatusError(
        .resourceExhausted,
        "\(name) is over its quota",
        retryAfter: response.retryAfter
      )
    case 408, 409, 500...:
      return StatusError(
        .unavailable,
        "\(name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    case 200..<300: return nonsense
    default: return StatusError(.internal, "\(name) answered \(response.status)")
    }
  }
}
