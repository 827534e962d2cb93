import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

/// An API of language models: how a client speaks it, and how it says what every such API says.
struct ModelAPI: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var makeModel: @Sendable (_ baseURL: String?, Secret, _ name: String?) -> any LanguageModel
  var defaultModel: String
  /// Paths of base URLs, each with the target of its requests.
  var targets: [(base: String, target: String)]
  /// The headers of a request; nil for one that it must not have.
  var headers: [String: String?]
  /// The body of a request with the sample prompt.
  var body: String
  /// A response with the sample's answer; with these members in place of model and usage, if not nil.
  var sample: @Sendable (_ members: String?) -> ScriptedAnswer
  /// A response with this text somewhere in it.
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

  /// What a response says of its model and its tokens, and what is understood.
  struct Usage: Sendable {
    var members: String
    var engine: String
    /// nil if the response counts none.
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

  /// The same answer in a stream.
  struct Events: Sendable {
    var begin: String
    var piece: @Sendable (String) -> String
    /// Why it ends, with the tokens.
    var end: @Sendable (String) -> String
    var ending: String
    var error: String
    /// The same answer at once.
    var whole: @Sendable (String) -> String
  }

  func model(
    _ baseURL: String?,
    key: String = SamplePrompt.key,
    name: String? = nil
  ) -> any LanguageModel {
    makeModel(baseURL, Secret(key), name)
  }

  /// The result of some responses, and how many requests it took.
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
