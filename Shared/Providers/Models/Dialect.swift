import Synchronization

/// How a server that speaks like OpenAI's wants to be asked.
///
/// It is asked as OpenAI is, until it refuses a member or answers as if it hadn't read it: then it is
/// asked otherwise, at once and by this process from then on. No server is told from another by its
/// address or name.
///
/// | who | is different in | and so |
/// |---|---|---|
/// | older models, DeepSeek | refuse `json_schema` | `json_object`, then no format; the schema is in the instructions |
/// | older Ollama, llama.cpp of 2024 | pass over `response_format` | after an answer of another shape the schema is in the instructions as well |
/// | Ollama | passes over `max_completion_tokens` | after an answer longer than asked for: `max_tokens` |
/// | Mistral, older Azure | refuse `max_completion_tokens` | `max_tokens` |
/// | older vLLM, Azure and proxies | refuse `stream_options` | a stream without usage, whose price isn't known |
/// | servers that keep nothing | refuse `store` | it is left out |
/// | models that reason | spend the answer's tokens on thoughts | after an answer cut off: more tokens |
struct Dialect: Sendable, Hashable {
  /// How the answer's shape is asked for, each for servers that refuse the one before.
  enum Format: String, Sendable {
    case schema = "json_schema"
    case object = "json_object"
    case text
  }

  /// How the longest answer is called.
  enum Limit: Sendable {
    case completionTokens
    /// The older name.
    case tokens
    /// The newer one, as the older was refused.
    case onlyCompletionTokens
  }

  var format = Format.schema
  var limit = Limit.completionTokens
  /// Whether the instructions hold the schema.
  var tellsSchema = false
  /// Whether a stream is to end with its usage.
  var asksForUsage = true
  /// Whether the provider is told to keep nothing.
  var forbidsStorage = true
  /// Tokens for thoughts, beside those of the answer.
  var thoughtTokens = 0

  /// What a model may think, once it is known to.
  private static let thoughts = 4_096

  /// Takes in what a refusal names.
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
    // OpenAI's word for a schema of ours that is wrong: it would be as wrong in the instructions.
    let isAboutFormat = ["response_format", "json_schema", "json_object", "schema", "grammar"]
      .contains(where: refusal.names)
    if isAboutFormat, !refusal.says("invalid schema for response_format") {
      tellsSchema = true
      format = format == .schema ? .object : .text
    }
  }

  /// Takes in what an answer shows.
  ///
  /// - Parameters:
  ///   - asked: the most tokens it was to have.
  ///   - isThoughtful: whether some of them were thoughts.
  mutating func learn(from completion: Completion, asked: Int, isThoughtful: Bool) {
    if limit == .completionTokens, completion.completionTokens > asked { limit = .tokens }
    switch completion.ending {
    case .malformed: tellsSchema = true
    case .truncated where isThoughtful: thoughtTokens = Self.thoughts
    case .truncated, .answered, .refused: break
    }
  }

  /// What is different from another, in the words of the API, for the log.
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

/// What a process knows of its server. Make one for the life of the process.
package final class KnownDialect: Sendable {
  private let state = Mutex(Dialect())

  package init() {}

  var current: Dialect { state.withLock(\.self) }

  /// - Parameter change: is given what is known now, which others may have added to.
  func learn(_ change: (inout Dialect) -> Void) { state.withLock { change(&$0) } }
}
