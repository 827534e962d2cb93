import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

/// An API of language models: its client, and its form of the requests and responses that every API
/// has.
struct ModelAPI: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var makeModel: @Sendable (_ baseURL: String?, Secret, _ name: String?) -> any LanguageModel
  var defaultModel: String
  /// Paths of base URLs, each with the target of its requests.
  var targets: [(base: String, target: String)]
  /// The headers of a request, or `nil` for a header that it must not have.
  var headers: [String: String?]
  /// The body of a request with the sample prompt.
  var body: String
  /// Returns a response with the sample's answer.
  ///
  /// The argument replaces the members for model and usage, unless it is `nil`.
  var sample: @Sendable (_ members: String?) -> ScriptedAnswer
  /// Returns a response that contains this text.
  var prose: @Sendable (String) -> ScriptedAnswer
  var endings: [Ending]
  var usages: [Usage]
  var failures: [ModelFailure]
  var events: Events

  static let all = [openAI, anthropic]

  struct Ending: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: ScriptedAnswer
    var ending: Completion.Ending

    init(_ description: String, _ answer: ScriptedAnswer, _ ending: Completion.Ending) {
      testDescription = description
      self.answer = answer
      self.ending = ending
    }
  }

  /// The members of a response for its model and usage, with the expected values.
  struct Usage: Sendable {
    var members: String
    var engine: String
    /// The number of prompt tokens, or `nil` if the response has no usage.
    var promptTokens: Int?
    var completionTokens: Int
    var cachedTokens: Int

    init(
      _ members: String,
      _ engine: String,
      _ promptTokens: Int? = nil,
      _ completionTokens: Int = 0,
      cached cachedTokens: Int = 0
    ) {
      self.members = members
      self.engine = engine
      self.promptTokens = promptTokens
      self.completionTokens = completionTokens
      self.cachedTokens = cachedTokens
    }
  }

  /// The sample's answer as a stream.
  struct Events: Sendable {
    var begin: String
    var piece: @Sendable (String) -> String
    /// The event with this reason for the end, and with the usage.
    var end: @Sendable (String) -> String
    var ending: String
    var error: String
    /// The same answer in a single response.
    var whole: @Sendable (String) -> String
  }

  func model(
    _ baseURL: String?,
    key: String = SamplePrompt.key,
    name: String? = nil
  ) -> any LanguageModel {
    makeModel(baseURL, Secret(key), name)
  }

  /// Returns the result of these responses, and the number of requests.
  func outcome(
    _ answers: ScriptedAnswer...
  ) async throws -> (result: Result<Completion, StatusError>, requests: Int) {
    try await SamplePrompt.outcome(of: answers) { model($0) }
  }

  static let good = Completion.Ending.answered(Data(SamplePrompt.answer.utf8))

  static func quoted(_ text: String) -> String {
    String(decoding: (try? JSON.encode(text)) ?? Data(), as: UTF8.self)
  }
}
