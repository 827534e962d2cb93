import Synchronization

/// The differences between OpenAI's API and a compatible server.
///
/// The first request has OpenAI's form. If the server rejects a field, or answers as if it ignored
/// one, the form changes at once and for the rest of the process. The server's address and name
/// don't matter.
///
/// | server | difference | request |
/// |---|---|---|
/// | older models, DeepSeek | reject `json_schema` | `json_object`, then no format; schema in the instructions |
/// | older Ollama, llama.cpp of 2024 | ignore `response_format` | after an answer of another shape, schema also in the instructions |
/// | Ollama | ignores `max_completion_tokens` | after an answer longer than the limit, `max_tokens` |
/// | Mistral, older Azure | reject `max_completion_tokens` | `max_tokens` |
/// | older vLLM, Azure and proxies | reject `stream_options` | a stream without usage, of unknown cost |
/// | servers without storage | reject `store` | no `store` |
/// | reasoning models | spend the answer's tokens on reasoning | after an incomplete answer, more tokens |
struct Dialect: Sendable, Hashable {
  /// The ways to request the answer's shape. Each is for servers that reject the previous way.
  enum Format: String, Sendable {
    case schema = "json_schema"
    case object = "json_object"
    case text
  }

  /// The name of the field that limits the answer's tokens.
  enum Limit: Sendable {
    case completionTokens
    /// The older name, `max_tokens`.
    case tokens
    /// The newer name, after the server rejected the older one.
    case onlyCompletionTokens
  }

  var format = Format.schema
  var limit = Limit.completionTokens
  /// A Boolean value that indicates whether the instructions contain the schema.
  var tellsSchema = false
  /// A Boolean value that indicates whether the server is asked to end a stream with its usage.
  var asksForUsage = true
  /// A Boolean value that indicates whether the provider is asked to store nothing.
  var forbidsStorage = true
  /// The number of tokens for reasoning, in addition to the answer's tokens.
  var thoughtTokens = 0

  /// The value of `thoughtTokens` for a reasoning model.
  private static let thoughts = 4_096

  /// Adapts the dialect to the fields that a refusal names.
  mutating func learn(from refusal: ModelRefusal) {
    if refusal.names(limit == .tokens ? "max_tokens" : "max_completion_tokens") {
      switch limit {
      case .completionTokens: limit = .tokens
      case .tokens: limit = .onlyCompletionTokens
      case .onlyCompletionTokens: break
      }
    }
    if refusal.names("stream_options") { asksForUsage = false }
    if refusal.names("store") { forbidsStorage = false }
    // OpenAI reports an invalid schema with this message. Such a schema would be invalid in the
    // instructions, too.
    let isAboutFormat = ["response_format", "json_schema", "json_object", "schema", "grammar"]
      .contains(where: refusal.names)
    if isAboutFormat, !refusal.says("invalid schema for response_format") {
      tellsSchema = true
      format = format == .schema ? .object : .text
    }
  }

  /// Adapts the dialect to the properties of an answer.
  ///
  /// - Parameters:
  ///   - asked: the maximum number of tokens in the request.
  ///   - isThoughtful: whether some of the answer's tokens were reasoning.
  mutating func learn(from completion: Completion, asked: Int, isThoughtful: Bool) {
    if limit == .completionTokens, completion.completionTokens > asked { limit = .tokens }
    switch completion.ending {
    case .malformed: tellsSchema = true
    case .truncated where isThoughtful: thoughtTokens = Self.thoughts
    case .truncated, .answered, .refused: break
    }
  }

  /// Returns the differences from an older dialect, in the API's terms, for the log.
  func changes(from old: Dialect) -> [String] {
    var changes: [String] = []
    if format != old.format { changes.append("response_format \(format.rawValue)") }
    if limit != old.limit {
      changes.append(limit == .tokens ? "max_tokens" : "max_completion_tokens")
    }
    if tellsSchema, !old.tellsSchema { changes.append("the schema in the instructions") }
    if !asksForUsage, old.asksForUsage { changes.append("no stream_options") }
    if !forbidsStorage, old.forbidsStorage { changes.append("no store") }
    if thoughtTokens > old.thoughtTokens { changes.append("tokens for thoughts") }
    return changes
  }
}

/// The dialect that a process has learned about its server. Create one instance for the life of the
/// process.
package final class KnownDialect: Sendable {
  private let state = Mutex(Dialect())

  package init() {}

  var current: Dialect { state.withLock(\.self) }

  /// Changes the dialect.
  ///
  /// - Parameter change: a closure that receives the current dialect, including other invocations'
  ///   changes.
  func learn(_ change: (inout Dialect) -> Void) { state.withLock { change(&$0) } }
}
