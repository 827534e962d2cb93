package import Core
import HTTPClient

/// A model that answers prompts, behind any API.
package protocol LanguageModel: Sendable {
  /// Requests one completion.
  ///
  /// - Parameter onText: a closure that receives the whole JSON of the answer so far, each time
  ///   more has arrived. The JSON starts over if the request is retried. With `nil`, the response
  ///   isn't streamed.
  /// - Returns: the provider's answer, which may be unusable, and the numbers of billed tokens.
  /// - Throws: a configuration error for an invalid key, model or address; `RESOURCE_EXHAUSTED`,
  ///   `UNAVAILABLE` and `DEADLINE_EXCEEDED` for temporary errors.
  func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)?
  ) async throws(StatusError) -> Completion
}

/// The response to a prompt.
package struct Completion: Sendable, Hashable {
  package enum Ending: Sendable, Hashable {
    /// An answer as JSON that conforms to the prompt's schema.
    case answered(Data)
    /// An answer that was cut off at the limit of tokens.
    case truncated
    /// A refusal by the model, or by a filter before it.
    case refused
    /// An answer that doesn't conform to the schema, with the reason. The reason quotes nothing of
    /// the answer.
    case malformed(String)
  }

  package var ending: Ending
  /// The provider's name for the model that answered.
  package var engine: String
  package var promptTokens: Int
  /// The number of prompt tokens that the provider had cached.
  package var cachedTokens: Int
  package var completionTokens: Int
  /// A Boolean value that indicates whether the provider reported token counts. Without them, the
  /// cost is unknown.
  package var isCounted: Bool
  /// The server's differences from OpenAI's API that this request revealed, as text for the log.
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

/// A number of tokens from a provider. An invalid number counts as 0.
struct TokenCount: Decodable {
  var value: Int

  init(from decoder: any Decoder) throws {
    let count = try? decoder.singleValueContainer().decode(Int.self)
    value = count.map { (0...Self.maximum).contains($0) ? $0 : 0 } ?? 0
  }

  /// The maximum valid number. No model comes near it.
  private static let maximum = 100_000_000
}

/// A model's name from a provider, or `nil` if it isn't a text.
struct ModelName: Decodable {
  var value: String?

  init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(String.self)
  }
}

/// The constants and errors that all providers of models share.
enum ModelProvider {
  static let name = "the language model"

  /// The maximum size of a response. Valid answers are much shorter.
  static let maximumResponseBytes = 1 << 20

  /// Returns a model's name for logs and documents: the name from the provider if it is plausible,
  /// else the requested name.
  static func engine(_ name: String?, asked: String) -> String {
    guard let name, (1...100).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return asked }
    return name
  }

  /// The delay before the next attempt while a server loads a model from its disk.
  private static let loadingTime = Duration.seconds(5)

  static let brokenOff = StatusError(.unavailable, "\(name) broke off its answer")
  static let nonsense = StatusError(.unavailable, "\(name) returned an invalid response")

  static let retry = HTTPRetryPolicy(
    maximumAttempts: 2,
    // Anthropic's status for "overloaded" is 529.
    statuses: HTTPRetryPolicy.transientStatuses.union([409, 529]),
    isFinal: { $0.status == 429 && ModelRefusal($0).isOutOfMoney }
  )

  /// Returns the error for an unsuccessful response.
  ///
  /// - Parameter prefix: the prefix of the variables with the model's name, key and URL.
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
        "\(name) is still loading",
        retryAfter: response.retryAfter ?? loadingTime
      )
    case 401, 403: return .configuration(.permissionDenied, "\(name) refused \(key)")
    case 300..<400: return .redirect(name, response, address)
    case 404:
      return .configuration(
        .notFound,
        "\(name)'s provider answered 404: check \(model) and \(address)"
      )
    case 400, 413, 422:
      return .configuration(
        .failedPrecondition,
        "\(name)'s provider refused the request: check that \(model) supports JSON schemas"
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
