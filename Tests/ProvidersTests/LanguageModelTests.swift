import Core
import HTTPClient
import TestKit
import Testing

@testable import Providers

/// The clients of both model APIs, with real sockets.
@Suite(.timeLimit(.minutes(10)))
struct LanguageModelTests {
  /// Returns the test cases of all APIs, each together with its API.
  private static func rows<Row>(_ rows: (ModelAPI) -> [Row]) -> [(ModelAPI, Row)] {
    ModelAPI.all.flatMap { api in rows(api).map { (api, $0) } }
  }

  // MARK: Requests

  @Test(arguments: rows(\.targets))
  func `a prompt is one request, with the user's text in the user's message`(
    api: ModelAPI,
    row: (base: String, target: String)
  ) async throws {
    let server = try LoopbackServer(answers: [api.sample(nil)])
    defer { server.stop() }
    let model = api.model(server.url(row.base), name: "some-model")
    _ = try await model.complete(SamplePrompt.prompt(), onText: nil)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == row.target)
    for (name, value) in api.headers { #expect(request.headers[name] == value) }
    #expect(request.headers["content-type"] == "application/json; charset=utf-8")
    #expect(request.headers["traceparent"] == SamplePrompt.traceparent)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(body == api.body)
    #expect(try SentPrompt(request).text == SamplePrompt.text)
    #expect(body.components(separatedBy: "PLANTED").count == 2)
    #expect(!body.contains(SamplePrompt.key))
  }

  @Test(arguments: ModelAPI.all)
  func `a correction follows the constant instructions`(api: ModelAPI) async throws {
    let server = try LoopbackServer(answers: [api.sample(nil)])
    defer { server.stop() }
    let model = api.model(server.url(""))
    _ = try await model.complete(SamplePrompt.prompt(), onText: nil)
    _ = try await model.complete(SamplePrompt.prompt(correction: "it is too long"), onText: nil)
    let sent = try server.requests.map(SentPrompt.init)
    #expect(
      sent.map(\.instructions) == [
        "Say \"what\".\nBe brief.",
        "Say \"what\".\nBe brief.\n\n"
          + "Your last answer was refused: it is too long. Answer again.",
      ]
    )
    #expect(Set(sent.map(\.conversation)).count == 1)
    #expect(sent.map(\.model) == [api.defaultModel, api.defaultModel])
  }

  // MARK: Answers

  @Test(arguments: rows(\.endings))
  func `every answer has its ending, and its description hides the text`(
    api: ModelAPI,
    row: ModelAPI.Ending
  ) async throws {
    let (result, requests) = try await api.outcome(row.answer)
    let completion = try result.get()
    #expect(completion.ending == row.ending)
    #expect(completion.engine == "emulator-rules")
    #expect(completion.promptTokens == 11)
    #expect(completion.completionTokens == 7)
    #expect(requests == 1)
    #expect(!"\(completion)".contains("PLANTED"))
  }

  @Test(arguments: rows(\.usages))
  func `an answer may lack its usage and model`(
    api: ModelAPI,
    row: ModelAPI.Usage
  ) async throws {
    #expect(
      try await api.outcome(api.sample(row.members)).result.get()
        == Completion(
          ending: ModelAPI.good,
          engine: row.engine,
          promptTokens: row.promptTokens ?? 0,
          cachedTokens: row.cachedTokens,
          completionTokens: row.completionTokens,
          isCounted: row.promptTokens != nil
        )
    )
  }

  // MARK: Failures

  @Test(arguments: rows(\.failures))
  func `every failure has the right fault and hides text and key`(
    api: ModelAPI,
    row: ModelFailure
  ) async throws {
    let (result, requests) = try await api.outcome(row.answer)
    row.expect(result, requests: requests)
  }

  @Test(arguments: ModelAPI.all, [408, 409, 429, 500, 503, 529])
  func `a temporary failure is retried once`(api: ModelAPI, status: Int) async throws {
    let (result, requests) = try await api.outcome(
      ScriptedAnswer(status, headers: ["Retry-After: 0"]),
      api.sample(nil)
    )
    #expect(try result.get().ending == ModelAPI.good)
    #expect(requests == 2)
  }

  @Test(arguments: ModelAPI.all)
  func `an endless answer is refused`(api: ModelAPI) async throws {
    let (result, _) = try await api.outcome(
      api.prose(String(repeating: "PLANTED ", count: 1 << 17))
    )
    ModelFailure.expectTooLong(result)
  }

  @Test(arguments: ModelAPI.all, ["sk-PLANTED\n", "sk-PLANTED\r\nX: y"])
  func `a key with a line feed is a configuration error`(
    api: ModelAPI,
    key: String
  ) async throws {
    let server = try LoopbackServer(answers: [.init(200)])
    defer { server.stop() }
    let model = api.model(server.url(""), key: key)
    let error = await #expect(throws: StatusError.self) {
      try await model.complete(SamplePrompt.prompt(), onText: nil)
    }
    #expect(error?.fault == .configuration)
    #expect(error?.message.contains("PLANTED") == false)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ModelAPI.all)
  func `a model's dump hides its key`(api: ModelAPI) {
    let model = api.model(nil)
    var dumped = ""
    dump(model, to: &dumped)
    #expect(!dumped.contains("PLANTED"))
    #expect(!String(reflecting: model).contains("PLANTED"))
  }

  @Test func `a filter before the model counts as the model's refusal`() async throws {
    let answer = OpenAIAnswers.error(400, code: #""content_filter""#)
    let (result, requests) = try await ModelAPI.openAI.outcome(answer)
    #expect(try result.get().ending == .refused)
    #expect(requests == 1)
  }
}
