import Core
import FunctionRuntime
import Providers
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct ModelSessionTests {
  private struct Output: Decodable, Equatable {
    var word: String
  }

  private static let template = Prompt.Template(
    name: "sample_answer",
    version: 1,
    instructions: "Say a word.",
    output: .object(["word": .string(maximumLength: 20)]),
    maximumOutputTokens: 10
  )

  private static func completion(
    _ ending: Completion.Ending,
    engine: String = "rules"
  ) -> ScriptedModel.Answer {
    .success(Completion(ending: ending, engine: engine, promptTokens: 10, completionTokens: 3))
  }

  private static func answer(_ word: String, engine: String = "rules") -> ScriptedModel.Answer {
    completion(.answered(Data(#"{"word":"\#(word)"}"#.utf8)), engine: engine)
  }

  /// Asks the model with a check that refuses the answer `PLANTED`.
  private func ask(
    _ model: ScriptedModel,
    _ context: FunctionContext
  ) async throws(StatusError) -> (output: Output, engine: String) {
    let outcome = try await ModelSession(model, context: context).answer(
      try Prompt(Self.template, input: ["text": "PLANTED"]),
      as: Output.self
    ) { $0.word == "PLANTED" ? "word is not a good one" : nil }
    return try outcome.get()
  }

  private func failure(_ answers: [ScriptedModel.Answer]) async throws -> (
    error: StatusError, model: ScriptedModel, context: FunctionContext, log: [String]
  ) {
    let model = ScriptedModel(answers)
    let recorder = LogRecorder()
    let context = FunctionContext.forTests(logger: recorder.logger)
    let error = await #expect(throws: StatusError.self) { try await ask(model, context) }
    return (try #require(error), model, context, recorder.entries)
  }

  // MARK: Answers

  @Test func `a good answer is accepted at once`() async throws {
    let model = ScriptedModel([Self.answer("yes")])
    let recorder = LogRecorder()
    let context = FunctionContext.forTests(logger: recorder.logger)
    let answer = try await ask(model, context)
    #expect(answer.output == Output(word: "yes"))
    #expect(answer.engine == "rules")
    #expect(model.prompts.map(\.correction) == [nil])
    #expect(context.record.usage.providerCalls == 1)
    #expect(context.record.usage.promptTokens == 10)
    // The price of the model is unknown, which is recorded. Unknown doesn't mean free.
    #expect(context.record.usage.costMicros == 0)
    #expect(context.record.usage.unpricedEngines == context.record.usage.engines)
    #expect(context.record.usage.completionTokens == 3)
    #expect(context.record.usage.engines == ["rules"])
    #expect(recorder.entries.isEmpty)
  }

  @Test func `an uncounted answer has no price, and findings are logged`()
    async throws
  {
    var completion = Completion(
      ending: .answered(Data(#"{"word":"yes"}"#.utf8)),
      engine: "gpt-4o-mini",
      isCounted: false
    )
    completion.findings = ["max_tokens", "no store"]
    let recorder = LogRecorder()
    let context = FunctionContext.forTests(logger: recorder.logger)
    _ = try await ask(ScriptedModel([.success(completion)]), context)
    #expect(context.record.usage.costMicros == 0)
    #expect(context.record.usage.unpricedEngines == ["gpt-4o-mini"])
    #expect(
      recorder.entries == [
        "notice: request format changed for the model's server with=max_tokens, no store"
      ]
    )
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answer: ScriptedModel.Answer

    init(_ reason: String, _ answer: ScriptedModel.Answer) {
      testDescription = reason
      self.answer = answer
    }
  }

  static let bad = [
    Bad("word is not a good one", answer("PLANTED", engine: "first")),
    Bad("the answer was cut off", completion(.truncated, engine: "first")),
    Bad("the answer is empty", completion(.malformed("the answer is empty"), engine: "first")),
  ]

  @Test(arguments: bad)
  func `a bad answer is requested again with its problem`(bad: Bad) async throws {
    let model = ScriptedModel([bad.answer, Self.answer("yes", engine: "second")])
    let recorder = LogRecorder()
    let context = FunctionContext.forTests(logger: recorder.logger)
    let answer = try await ask(model, context)
    #expect(answer.output == Output(word: "yes"))
    #expect(answer.engine == "second")
    #expect(model.prompts.map(\.correction) == [nil, bad.testDescription])
    #expect(Set(model.prompts.map(\.input)).count == 1)
    #expect(Set(model.prompts.map(\.template)).count == 1)
    #expect(context.record.usage.providerCalls == 2)
    #expect(context.record.usage.promptTokens == 20)
    #expect(context.record.usage.completionTokens == 6)
    #expect(context.record.usage.engines == ["first", "second"])
    #expect(
      recorder.entries == [
        "notice: answer rejected engine=first prompt=sample_answer "
          + "reason=\(bad.testDescription)"
      ]
    )
  }

  @Test(arguments: bad)
  func `two bad answers are a failure`(bad: Bad) async throws {
    let (error, model, context, log) = try await failure([
      Self.completion(.truncated), bad.answer, Self.answer("yes"),
    ])
    #expect(
      error == Self.outage(.unavailable, "AI temporarily unavailable: \(bad.testDescription)")
    )
    #expect(model.prompts.map(\.correction) == [nil, "the answer was cut off"])
    #expect(context.record.usage.providerCalls == 2)
    #expect(context.record.usage.promptTokens == 20)
    #expect(log.count == 2)
    #expect(!"\(error) \(log)".contains("PLANTED"))
  }

  @Test func `a refusal is not requested again`() async throws {
    let (error, model, context, log) = try await failure([
      Self.completion(.refused), Self.answer("yes"),
    ])
    #expect(
      error == StatusError(.failedPrecondition, "the language model declined to answer")
    )
    #expect(model.prompts.count == 1)
    #expect(context.record.usage.providerCalls == 1)
    #expect(context.record.usage.promptTokens == 10)
    #expect(context.record.usage.engines == ["rules"])
    #expect(log.isEmpty)
  }

  @Test func `a refusal ends a second attempt too`() async throws {
    let (error, model, _, _) = try await failure([
      Self.completion(.truncated), Self.completion(.refused), Self.answer("yes"),
    ])
    #expect(error.code == .failedPrecondition)
    #expect(model.prompts.count == 2)
  }

  @Test func `a type that the schema doesn't describe is an internal error`() async throws {
    let (error, model, _, _) = try await failure([
      Self.completion(.answered(Data(#"{"PLANTED":1}"#.utf8))), Self.answer("yes"),
    ])
    #expect(error.code == .internal)
    #expect(!error.message.contains("PLANTED"))
    #expect(model.prompts.count == 1)
  }

  // MARK: Failures

  /// Returns an error whose reason is only for logs.
  private static func outage(
    _ code: StatusCode,
    _ message: String,
    retryAfter: Duration? = nil
  ) -> StatusError {
    var error = StatusError(code, message, retryAfter: retryAfter)
    error.callerMessage = "AI temporarily unavailable"
    return error
  }

  static let causes: [(cause: StatusError, error: StatusError)] = [
    (
      StatusError(.unavailable, "it answered 503", retryAfter: .seconds(7)),
      outage(
        .unavailable,
        "AI temporarily unavailable: it answered 503",
        retryAfter: .seconds(7)
      )
    ),
    (
      StatusError(.resourceExhausted, "it is over its quota", retryAfter: .seconds(90)),
      outage(
        .resourceExhausted,
        "AI temporarily unavailable: it is over its quota",
        retryAfter: .seconds(90)
      )
    ),
    (
      StatusError(.deadlineExceeded, "it did not answer in time"),
      outage(.unavailable, "AI temporarily unavailable: the language model took too long")
    ),
    (
      StatusError.configuration(.permissionDenied, "it refused OPENAI_API_KEY"),
      .configuration(.permissionDenied, "it refused OPENAI_API_KEY")
    ),
    (
      StatusError.configuration(.resourceExhausted, "the quota is used up"),
      .configuration(.resourceExhausted, "the quota is used up")
    ),
    (StatusError(.internal, "it answered 418"), StatusError(.internal, "it answered 418")),
    (StatusError(.cancelled, "cancelled"), StatusError(.cancelled, "cancelled")),
  ]

  @Test(arguments: causes)
  func `a temporary failure gets the user's message, others are passed on`(
    cause: StatusError,
    error: StatusError
  ) async throws {
    let first = try await failure([.failure(cause), Self.answer("yes")])
    #expect(first.error == error)
    #expect(first.model.prompts.count == 1)
    #expect(first.context.record.usage.providerCalls == 1)
    #expect(first.context.record.usage.promptTokens == 0)
    #expect(first.context.record.usage.engines.isEmpty)

    let second = try await failure([Self.completion(.truncated), .failure(cause)])
    #expect(second.error == error)
    #expect(second.context.record.usage.providerCalls == 2)
    #expect(second.context.record.usage.promptTokens == 10)
  }

  @Test func `after the deadline the model isn't asked`() async throws {
    let model = ScriptedModel([Self.answer("yes")])
    let context = FunctionContext.forTests(deadline: .now - .seconds(1))
    let error = Self.outage(
      .deadlineExceeded,
      "AI temporarily unavailable: the invocation's deadline has passed"
    )
    await #expect(throws: error) { try await ask(model, context) }
    #expect(model.prompts.isEmpty)
    #expect(context.record.usage.providerCalls == 0)
  }
}
