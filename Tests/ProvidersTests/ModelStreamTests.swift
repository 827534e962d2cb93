import Core
import HTTPClient
import Synchronization
import TestKit
import Testing

@testable import Providers

/// Answers that a model streams.
@Suite(.timeLimit(.minutes(10)))
struct ModelStreamTests {
  private static let pieces = [
    #"{"kind":"id"#, #"iom","note":null,"#, #""replies":["a","b","c"],"sure":tr"#, "ue}",
  ]

  private func stream(_ events: [String], separator: String = "\n\n") -> ScriptedAnswer {
    ScriptedAnswer(
      200,
      headers: ["Content-Type: text/event-stream"],
      events.map { $0.replacing("\n\n", with: separator) + separator }.joined()
    )
  }

  /// Returns the outcome of the sample prompt, and the texts that were reported while it was
  /// streamed.
  private func outcome(
    _ api: ModelAPI,
    _ answers: ScriptedAnswer...
  ) async throws -> (result: Result<Completion, StatusError>, texts: [String]) {
    let texts = Mutex<[String]>([])
    let (result, _) = try await SamplePrompt.outcome(
      of: answers,
      onText: { text in texts.withLock { $0.append(text) } }
    ) { api.model($0) }
    return (result, texts.withLock(\.self))
  }

  @Test(arguments: ModelAPI.all, ["\n\n", "\r\n\r\n", "\r\r"])
  func `a growing answer is reported, and its final text is the answer`(
    api: ModelAPI,
    separator: String
  ) async throws {
    let events =
      [api.events.begin] + Self.pieces.map(api.events.piece) + [api.events.end(api.events.ending)]
    let (result, texts) = try await outcome(api, stream(events, separator: separator))
    let completion = try result.get()
    #expect(completion.ending == ModelAPI.good)
    #expect(completion.engine == "gpt-x")
    #expect(completion.promptTokens == 7 && completion.completionTokens == 3)
    #expect(texts.last == SamplePrompt.answer)
    #expect(zip(texts, texts.dropFirst()).allSatisfy { $1.hasPrefix($0) })
  }

  @Test(arguments: ModelAPI.all)
  func `the model streams only if there is a listener`(api: ModelAPI) async throws {
    let server = try LoopbackServer(answers: [
      ScriptedAnswer(200, api.events.whole(SamplePrompt.answer))
    ])
    defer { server.stop() }
    let model = api.model(server.url(""))
    let unread = try await model.complete(SamplePrompt.prompt(), onText: nil)
    // A server without support for streams sends the complete answer at once.
    let read = try await model.complete(SamplePrompt.prompt()) { _ in }
    #expect(unread == read && unread.ending == ModelAPI.good)
    let asked = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(!asked[0].contains("stream") && asked[1].contains(#""stream":true"#))
  }

  @Test(arguments: ModelAPI.all)
  func `an interrupted answer is an error`(api: ModelAPI) async throws {
    let begun = [api.events.begin, api.events.piece(Self.pieces[0])]
    for events in [[], begun, begun + [api.events.error], [api.events.error]] {
      let (result, _) = try await outcome(api, stream(events))
      #expect(throws: StatusError(.unavailable, "the language model broke off its answer")) {
        try result.get()
      }
    }
  }

  @Test(arguments: [
    (ModelAPI.openAI, "length", Completion.Ending.truncated),
    (ModelAPI.openAI, "content_filter", .refused),
    (ModelAPI.anthropic, "max_tokens", .truncated), (ModelAPI.anthropic, "refusal", .refused),
  ])
  func `the end of a stream determines the answer's ending`(
    api: ModelAPI,
    reason: String,
    ending: Completion.Ending
  ) async throws {
    let events = [api.events.begin, api.events.piece(Self.pieces[0]), api.events.end(reason)]
    let (result, _) = try await outcome(api, stream(events))
    #expect(try result.get().ending == ending)
  }

  @Test(arguments: ModelAPI.all)
  func `an answer against the schema is refused without repeating it`(api: ModelAPI) async throws {
    let events = [
      api.events.begin, api.events.piece(#"{"kind":"PLANTED"}"#), api.events.end(api.events.ending),
    ]
    let (result, _) = try await outcome(api, stream(events))
    guard case .malformed(let reason) = try result.get().ending else {
      Issue.record("the answer was accepted")
      return
    }
    #expect(!reason.contains("PLANTED"))
  }

  @Test(arguments: ModelAPI.all)
  func `text of a failed attempt isn't reported`(api: ModelAPI) async throws {
    let answer = stream(
      [api.events.begin] + Self.pieces.map(api.events.piece) + [api.events.end(api.events.ending)]
    )
    let (result, texts) = try await outcome(
      api,
      ScriptedAnswer(503, headers: ["Retry-After: 0"], api.events.piece("PLANTED") + "\n\n"),
      answer
    )
    #expect(try result.get().ending == ModelAPI.good)
    #expect(!texts.contains { $0.contains("PLANTED") })
  }

  @Test func `a refusal in several chunks is a refusal`() async throws {
    let events = [
      ModelAPI.openAI.events.begin, #"data: {"choices":[{"delta":{"refusal":"I "}}]}"#,
      #"data: {"choices":[{"delta":{"refusal":"won't"}}]}"#, ModelAPI.openAI.events.end("stop"),
    ]
    let (result, texts) = try await outcome(.openAI, stream(events))
    #expect(try result.get().ending == .refused)
    #expect(texts.allSatisfy { $0.isEmpty })
  }

  @Test func `events are parsed according to the standard`() {
    func events(_ text: String) -> [String] {
      EventStream.events(in: Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(events("data: a\n\ndata:b\n\n") == ["a", "b"])
    #expect(events(": comment\ndata: a\ndata: b\nid: 7\n\n\n\n") == ["a\nb"])
    #expect(events("data:  two spaces\r\n\r\ndata: x\r\rdata\n\n") == [" two spaces", "x"])
    #expect(events("data: not ended\n") == [])
    #expect(events("event: ping\n\nretry: 5\n\n") == [])
  }
}
