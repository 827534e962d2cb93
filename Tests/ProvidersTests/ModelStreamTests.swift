import HTTPTransport
import JSONCoding
import Platform
import RPCStatus
import Synchronization
import TestKit
import Testing

@testable import Providers

/// Answers that come in pieces.
@Suite(.timeLimit(.minutes(10)))
struct ModelStreamTests {
  /// An API, and how it says things in a stream.
  struct Dialect: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var model: @Sendable (String) -> any LanguageModel
    var begin: String
    var piece: @Sendable (String) -> String
    /// Why it ends, with the tokens.
    var end: @Sendable (String) -> String
    var ending: String
    var error: String
    /// The same answer at once.
    var whole: @Sendable (String) -> String
  }

  static func quoted(_ text: String) -> String {
    String(decoding: (try? JSON.encode(text)) ?? Data(), as: UTF8.self)
  }

  static let openAI = Dialect(
    testDescription: "OpenAI",
    model: {
      ChatCompletionsModel(
        baseURL: $0,
        key: Secret(SamplePrompt.key),
        model: nil,
        session: SamplePrompt.session
      )
    },
    begin: #"data: {"model":"gpt-x","choices":[{"delta":{"role":"assistant","content":""}}]}"#,
    piece: { #"data: {"choices":[{"delta":{"content":\#(quoted($0))}}]}"# },
    end: {
      #"data: {"choices":[{"delta":{},"finish_reason":"\#($0)"}]}"# + "\n\n"
        + #"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#
        + "\n\ndata: [DONE]"
    },
    ending: "stop",
    error: #"data: {"error":{"message":"PLANTED","type":"server_error"}}"#,
    whole: {
      #"{"model":"gpt-x","choices":[{"message":{"content":\#(quoted($0))},"#
        + #""finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#
    }
  )

  static let anthropic = Dialect(
    testDescription: "Anthropic",
    model: {
      MessagesModel(
        baseURL: $0,
        key: Secret(SamplePrompt.key),
        model: nil,
        session: SamplePrompt.session
      )
    },
    begin: "event: message_start\n"
      + #"data: {"type":"message_start","message":{"model":"gpt-x","usage":{"input_tokens":7}}}"#
      + "\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"
      + #"data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","#
      + #""id":"t","name":"sample_answer","input":{}}}"#,
    piece: {
      "event: content_block_delta\n"
        + #"data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","#
        + #""partial_json":\#(quoted($0))}}"#
    },
    end: {
      #"data: {"type":"content_block_stop","index":1}"# + "\n\n"
        + #"data: {"type":"message_delta","delta":{"stop_reason":"\#($0)"},"#
        + #""usage":{"output_tokens":3}}"# + "\n\n" + #"data: {"type":"message_stop"}"#
    },
    ending: "tool_use",
    error: "event: error\n"
      + #"data: {"type":"error","error":{"type":"overloaded_error","message":"PLANTED"}}"#,
    whole: {
      #"{"model":"gpt-x","stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":3},"#
        + #""content":[{"type":"tool_use","name":"sample_answer","input":\#($0)}]}"#
    }
  )

  static let dialects = [openAI, anthropic]
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

  /// What a script brings, and the texts that were told before the end.
  private func outcome(
    _ dialect: Dialect,
    _ answers: ScriptedAnswer...
  ) async throws -> (result: Result<Completion, StatusError>, texts: [String]) {
    let texts = Mutex<[String]>([])
    let (result, _) = try await SamplePrompt.outcome(
      of: answers,
      onText: { text in texts.withLock { $0.append(text) } },
      dialect.model
    )
    return (result, texts.withLock(\.self))
  }

  @Test(arguments: dialects, ["\n\n", "\r\n\r\n", "\r\r"])
  func `an answer is told as it grows, and is the same at its end`(
    dialect: Dialect,
    separator: String
  ) async throws {
    let events = [dialect.begin] + Self.pieces.map(dialect.piece) + [dialect.end(dialect.ending)]
    let (result, texts) = try await outcome(dialect, stream(events, separator: separator))
    let completion = try result.get()
    #expect(completion.ending == .answered(Data(SamplePrompt.answer.utf8)))
    #expect(completion.engine == "gpt-x")
    #expect(completion.promptTokens == 7 && completion.completionTokens == 3)
    #expect(texts.last == SamplePrompt.answer)
    #expect(zip(texts, texts.dropFirst()).allSatisfy { $1.hasPrefix($0) })
  }

  @Test(arguments: dialects)
  func `a stream is asked for only if somebody reads it`(dialect: Dialect) async throws {
    let server = try LoopbackServer(answers: [
      ScriptedAnswer(200, dialect.whole(SamplePrompt.answer))
    ])
    defer { server.stop() }
    let model = dialect.model(server.url(""))
    let unread = try await model.complete(SamplePrompt.prompt(), onText: nil)
    // A server that doesn't know streams answers at once.
    let read = try await model.complete(SamplePrompt.prompt()) { _ in }
    #expect(unread == read && unread.ending == .answered(Data(SamplePrompt.answer.utf8)))
    let asked = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(!asked[0].contains("stream") && asked[1].contains(#""stream":true"#))
  }

  @Test(arguments: dialects)
  func `an answer that breaks off is none`(dialect: Dialect) async throws {
    let begun = [dialect.begin, dialect.piece(Self.pieces[0])]
    for events in [[], begun, begun + [dialect.error], [dialect.error]] {
      let (result, _) = try await outcome(dialect, stream(events))
      #expect(throws: StatusError(.unavailable, "the language model broke off its answer")) {
        try result.get()
      }
    }
  }

  @Test(arguments: [
    (openAI, "length", Completion.Ending.truncated), (openAI, "content_filter", .refused),
    (anthropic, "max_tokens", .truncated), (anthropic, "refusal", .refused),
  ])
  func `how a stream ends says what the answer is`(
    dialect: Dialect,
    reason: String,
    ending: Completion.Ending
  ) async throws {
    let events = [dialect.begin, dialect.piece(Self.pieces[0]), dialect.end(reason)]
    let (result, _) = try await outcome(dialect, stream(events))
    #expect(try result.get().ending == ending)
  }

  @Test(arguments: dialects)
  func `an answer of another shape is refused without repeating it`(dialect: Dialect) async throws {
    let events = [
      dialect.begin, dialect.piece(#"{"kind":"PLANTED"}"#), dialect.end(dialect.ending),
    ]
    let (result, _) = try await outcome(dialect, stream(events))
    guard case .malformed(let reason) = try result.get().ending else {
      Issue.record("it was taken")
      return
    }
    #expect(!reason.contains("PLANTED"))
  }

  @Test(arguments: dialects)
  func `what was told of an attempt that failed is begun anew`(dialect: Dialect) async throws {
    let answer = stream(
      [dialect.begin] + Self.pieces.map(dialect.piece) + [dialect.end(dialect.ending)]
    )
    let (result, texts) = try await outcome(
      dialect,
      ScriptedAnswer(503, headers: ["Retry-After: 0"], dialect.piece("PLANTED") + "\n\n"),
      answer
    )
    #expect(try result.get().ending == .answered(Data(SamplePrompt.answer.utf8)))
    #expect(!texts.contains { $0.contains("PLANTED") })
  }

  @Test func `a refusal in pieces is one`() async throws {
    let events = [
      Self.openAI.begin, #"data: {"choices":[{"delta":{"refusal":"I "}}]}"#,
      #"data: {"choices":[{"delta":{"refusal":"won't"}}]}"#, Self.openAI.end("stop"),
    ]
    let (result, texts) = try await outcome(Self.openAI, stream(events))
    #expect(try result.get().ending == .refused)
    #expect(texts.allSatisfy { $0.isEmpty })
  }

  @Test func `events are read as the standard says`() {
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
