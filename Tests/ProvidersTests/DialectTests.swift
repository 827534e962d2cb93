import Core
import HTTPClient
import Synchronization
import TestKit
import Testing

@testable import Providers

/// Servers whose API differs a little from OpenAI's, with real sockets.
@Suite(.timeLimit(.minutes(10)))
struct DialectTests {
  private func model(_ server: LoopbackServer, _ known: KnownDialect) -> ChatCompletionsModel {
    ChatCompletionsModel(
      baseURL: server.url(""),
      key: nil,
      model: "m",
      dialect: known,
      session: SamplePrompt.session
    )
  }

  /// Returns a chat completion with this content.
  private static func answer(
    _ content: String,
    finish: String = "stop",
    message: String = "",
    usage: String = #"{"prompt_tokens":11,"completion_tokens":7}"#
  ) -> ScriptedAnswer {
    ScriptedAnswer(
      200,
      #"{"model":"m","choices":[{"finish_reason":"\#(finish)","message":{"role":"assistant","#
        + #""content":\#(ModelAPI.quoted(content))\#(message)}}],"usage":\#(usage)}"#
    )
  }

  private static let good = Completion.Ending.answered(Data(SamplePrompt.answer.utf8))

  private func system(_ request: JSONValue) -> String {
    request["messages"]?.array?.first?["content"]?.string ?? ""
  }

  // MARK: Refusals

  @Test(arguments: PickyServer.all)
  func `a refused request is sent in another form, which the process remembers`(
    picky: PickyServer
  ) async throws {
    let server = try picky.started { _ in Self.answer("```json\n\(SamplePrompt.answer)\n```") }
    defer { server.stop() }
    let known = KnownDialect()
    let first = try await model(server, known).complete(SamplePrompt.prompt())
    #expect(first.ending == Self.good)
    #expect(!first.findings.isEmpty)
    #expect(server.requests.count == picky.requests)
    // The second call uses what the process remembers of the server.
    let second = try await model(server, known).complete(SamplePrompt.prompt())
    #expect(second.ending == Self.good)
    #expect(second.findings.isEmpty)
    #expect(server.requests.count == picky.requests + 1)
    let last = try #require(server.bodies.last)
    // If the server doesn't support schemas, the instructions contain the schema.
    let isHeld = last.at("response_format.type")?.string == "json_schema"
    #expect(system(last).contains(SamplePrompt.schema) == !isHeld)
    #expect(system(last).hasPrefix("Say \"what\".\nBe brief."))
    let limits = [last["max_tokens"], last["max_completion_tokens"]]
    #expect(limits.compactMap(\.self) == [.integer(77)])
  }

  @Test func `a server without usage in streams is asked to stream without it`() async throws {
    let picky = PickyServer("") { request in
      request["stream_options"].map { _ in
        ScriptedAnswer(400, #"{"error":"unknown field stream_options"}"#)
      }
    }
    let server = try picky.started { _ in
      ScriptedAnswer(
        200,
        headers: ["Content-Type: text/event-stream"],
        #"data: {"choices":[{"delta":{"content":"#
          + ModelAPI.quoted(SamplePrompt.answer) + "}}]}\n\n"
          + #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#
          + "\n\ndata: [DONE]\n\n"
      )
    }
    defer { server.stop() }
    let texts = Mutex<[String]>([])
    let completion = try await model(server, KnownDialect()).complete(SamplePrompt.prompt()) {
      text in texts.withLock { $0.append(text) }
    }
    #expect(completion.ending == Self.good)
    #expect(!completion.isCounted, "the server doesn't report the usage")
    #expect(completion.findings == ["no stream_options"])
    #expect(texts.withLock(\.self) == [SamplePrompt.answer])
    #expect(server.bodies.map { $0["stream"] } == [.boolean(true), .boolean(true)])
  }

  @Test(arguments: [
    // OpenAI's error for an invalid schema. If the client put the schema into the instructions
    // then, a bug in the schema would stay hidden.
    #"{"error":{"message":"Invalid schema for response_format 'x': no","param":"response_format"}}"#,
    // The error is about a message. The field names in it are part of the user's text.
    #"{"detail":[{"loc":["body","messages",0],"msg":"no","input":"store json_schema"}]}"#,
    #"{"error":{"message":"no"}}"#, "[]", "store", #"{"error":{"message":7,"param":["store"]}}"#,
  ])
  func `any other refusal is returned as an error`(body: String) async throws {
    let (result, requests) = try await SamplePrompt.outcome(of: [ScriptedAnswer(422, body)]) {
      ChatCompletionsModel(
        baseURL: $0,
        key: nil,
        model: nil,
        session: SamplePrompt.session
      )
    }
    #expect(result == .failure(ModelFailure.refused("OPENAI_MODEL")))
    #expect(requests == 1)
  }

  @Test func `a server that refuses everything is not asked again and again`() async throws {
    let body = #"{"error":"stream_options store max_tokens max_completion_tokens json_schema"}"#
    let server = try LoopbackServer(answers: [ScriptedAnswer(400, body)])
    defer { server.stop() }
    await #expect(throws: ModelFailure.refused("OPENAI_MODEL")) {
      try await model(server, KnownDialect()).complete(SamplePrompt.prompt())
    }
    #expect(server.requests.count == 3)
  }

  // MARK: Answers

  @Test func `a server that ignores the schema gets it in the instructions`() async throws {
    let server = try LoopbackServer(answers: [
      Self.answer("PLANTED, with pleasure."), Self.answer(SamplePrompt.answer),
    ])
    defer { server.stop() }
    let known = KnownDialect()
    let first = try await model(server, known).complete(SamplePrompt.prompt())
    #expect(first.findings == ["the schema in the instructions"])
    #expect(try await model(server, known).complete(SamplePrompt.prompt()).ending == Self.good)
    #expect(server.bodies.map { system($0).contains(SamplePrompt.schema) } == [false, true])
    #expect(server.bodies.allSatisfy { $0["response_format"] != nil })
  }

  @Test func `a server that ignores the token limit gets it under its older name`() async throws {
    let server = try LoopbackServer(answers: [
      Self.answer(SamplePrompt.answer, usage: #"{"completion_tokens":422}"#),
      Self.answer(SamplePrompt.answer),
      // This is the error of OpenAI's reasoning models, which know only the newer name.
      ScriptedAnswer(
        400,
        #"{"error":{"message":"Use 'max_completion_tokens' instead.","param":"max_tokens"}}"#
      ),
      Self.answer(SamplePrompt.answer, usage: #"{"completion_tokens":422}"#),
      Self.answer(SamplePrompt.answer),
    ])
    defer { server.stop() }
    let known = KnownDialect()
    for _ in 1...4 { _ = try await model(server, known).complete(SamplePrompt.prompt()) }
    #expect(
      server.bodies.map { $0["max_tokens"] != nil } == [false, true, true, false, false]
    )
  }

  static let thoughts = [
    answer("", finish: "length", message: #","reasoning_content":"PLANTED""#),
    answer("", finish: "length", message: #","reasoning":"PLANTED""#),
    answer("<think>\nPLANTED", finish: "length"),
    answer(
      "",
      finish: "length",
      usage: #"{"completion_tokens":77,"completion_tokens_details":{"reasoning_tokens":77}}"#
    ),
    ScriptedAnswer(
      200,
      headers: ["Content-Type: text/event-stream"],
      #"data: {"choices":[{"delta":{"reasoning_content":"PLANTED"}}]}"# + "\n\n"
        + #"data: {"choices":[{"delta":{},"finish_reason":"length"}]}"# + "\n\n"
    ),
  ]

  @Test(arguments: thoughts)
  func `a model that reasons gets additional tokens`(first: ScriptedAnswer) async throws {
    let server = try LoopbackServer(answers: [first, Self.answer(SamplePrompt.answer)])
    defer { server.stop() }
    let known = KnownDialect()
    let completion = try await model(server, known).complete(SamplePrompt.prompt())
    #expect(completion.ending == .truncated)
    #expect(completion.findings == ["tokens for thoughts"])
    #expect(try await model(server, known).complete(SamplePrompt.prompt()).ending == Self.good)
    let limits = server.bodies.map { $0["max_completion_tokens"] }
    #expect(limits == [.integer(77), .integer(77 + 4_096)])
  }

  @Test func `an answer that is too long without reasoning gets no additional tokens`() async throws
  {
    let server = try LoopbackServer(answers: [
      Self.answer("{", finish: "length", message: #","reasoning_content":"","reasoning":null"#)
    ])
    defer { server.stop() }
    let known = KnownDialect()
    for _ in 1...2 {
      let completion = try await model(server, known).complete(SamplePrompt.prompt())
      #expect(completion.findings.isEmpty)
    }
    #expect(Set(server.bodies).count == 1)
  }

  // MARK: Texts

  @Test(arguments: [
    (SamplePrompt.answer, SamplePrompt.answer), ("", ""), ("no", "no"), ("[]", "[]"),
    ("```json\n{\"a\":1}\n```\nThere.", #"{"a":1}"#), (#"Sure: {"a":{}} !"#, #"{"a":{}}"#),
    ("<think>{ not this }</think>\n\n{\"a\":1}", #"{"a":1}"#), ("thought}</think>{}", "{}"),
    (" <think>{ never done }", ""), (#" [{"a":1}]"#, #"[{"a":1}]"#),
    (#"{"a":"</think>"}"#, #"{"a":"</think>"}"#), ("}{", "}{"),
    ("{\u{301}\"a\":1}", "{\u{301}\"a\":1}"),
  ])
  func `the JSON is extracted from the text around it`(content: String, json: String) {
    #expect(String(AnswerText.json(in: content)) == json)
  }

  @Test(arguments: [
    ("", nil), ("Sure", nil), ("<think>{", nil), ("<think>{}</think>", nil),
    ("<think>{}</think>{\"a", "{\"a"), ("```json\n{\"a\":\"b", "{\"a\":\"b"), ("{\"a\"", "{\"a\""),
  ])
  func `a growing answer is reported from the start of its JSON`(content: String, json: String?) {
    #expect(AnswerText.beginning(in: content).map(String.init) == json)
  }

  // MARK: Azure

  @Test func `with an API version the request has Azure's form`() async throws {
    let server = try LoopbackServer(answers: [
      // The first chunk has the content filter's result for the prompt, and no choice.
      ScriptedAnswer(
        200,
        headers: ["Content-Type: text/event-stream"],
        #"data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]}"# + "\n\n"
          + #"data: {"choices":[{"delta":{"content":"PLANTED"},"#
          + #""finish_reason":"content_filter"}]}"# + "\n\n"
      ),
      ScriptedAnswer(
        400,
        #"{"error":{"message":"filtered","type":null,"param":"prompt","code":"content_filter","#
          + #""status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#
      ),
    ])
    defer { server.stop() }
    let model = ChatCompletionsModel(
      baseURL: server.url("/openai/deployments/chat/"),
      key: Secret(SamplePrompt.key),
      model: nil,
      azureVersion: "2024-10-21",
      session: SamplePrompt.session
    )
    #expect(try await model.complete(SamplePrompt.prompt()) { _ in }.ending == .refused)
    #expect(try await model.complete(SamplePrompt.prompt()).ending == .refused)
    for request in server.requests {
      #expect(
        request.target == "/openai/deployments/chat/chat/completions?api-version=2024-10-21"
      )
      #expect(request.headers["api-key"] == SamplePrompt.key)
      #expect(request.headers["authorization"] == nil)
    }
    #expect(!String(reflecting: model).contains("PLANTED"))
  }

  @Test func `without a key no key header is sent`() async throws {
    let server = try LoopbackServer(answers: [Self.answer(SamplePrompt.answer)])
    defer { server.stop() }
    _ = try await model(server, KnownDialect()).complete(SamplePrompt.prompt())
    let request = try #require(server.requests.first)
    #expect(request.headers["authorization"] == nil)
    #expect(request.headers["api-key"] == nil)
  }
}
