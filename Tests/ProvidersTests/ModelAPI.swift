import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

/// A model API: its client, and the requests and responses that the tests expect of it.
struct ModelAPI: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var makeModel: @Sendable (_ baseURL: String?, Secret, _ name: String?) -> any LanguageModel
  var defaultModel: String
  /// Paths of base URLs, each with the path to which the client must send its requests.
  var targets: [(base: String, target: String)]
  /// The expected header fields of a request. A value of `nil` means that the field must be absent.
  var headers: [String: String?]
  /// The expected body of a request with the sample prompt.
  var body: String
  /// Returns a response with the sample's answer.
  ///
  /// If the argument isn't `nil`, it replaces the fields for the model and the usage.
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

  /// The fields of a response for the model and the usage, with the values that the client must
  /// read.
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

  /// The events of a stream with the sample's answer.
  struct Events: Sendable {
    var begin: String
    var piece: @Sendable (String) -> String
    /// Returns the event that ends the answer for the given reason and reports the usage.
    var end: @Sendable (String) -> String
    var ending: String
    var error: String
    /// Returns the complete response with this answer, as the API sends it without streaming.
    var whole: @Sendable (String) -> String
  }

  func model(
    _ baseURL: String?,
    key: String = SamplePrompt.key,
    name: String? = nil
  ) -> any LanguageModel {
    makeModel(baseURL, Secret(key), name)
  }

  /// Returns the outcome of the sample prompt with these responses, and the number of requests.
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
