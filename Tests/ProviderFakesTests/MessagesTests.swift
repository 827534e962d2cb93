import Core
import HTTPService
import ProviderFakes
import TestKit
import Testing

/// The fake of Anthropic's Messages API.
struct MessagesTests {
  private func create(
    _ members: String = "",
    content: String = "Hello",
    limit: Int = 1_000
  ) async throws -> ServiceResponse {
    try await ModelCall.send(
      """
      {"model":"claude","max_tokens":\(limit),"messages":[{"role":"user",
      "content":\(JSONValue.string(content).text)}]\(members.isEmpty ? "" : ",\(members)")}
      """,
      to: ModelCall.messages
    )
  }

  private let tool = """
    "system":"Be brief.","tools":[{"name":"report","description":"Reports.",
    "input_schema":\(ModelCall.suggestions)}],
    "tool_choice":{"type":"tool","name":"report","disable_parallel_tool_use":true}
    """

  @Test func `a plain request gets a text by the rules`() async throws {
    let response = try await create()
    let answer = try #require(response.json)
    #expect(response.status == 200)
    #expect(response.header("request-id") == "req_id")
    #expect(answer["id"] == .string("msg_id"))
    #expect(answer["type"] == .string("message"))
    #expect(answer["role"] == .string("assistant"))
    #expect(answer["model"] == .string("emulator-rules"))
    #expect(answer["stop_reason"] == .string("end_turn"))
    #expect(answer["stop_sequence"] == .null)
    #expect(answer.at("content.0.type") == .string("text"))
    #expect(answer.at("usage.input_tokens") == .integer(2))
  }

  @Test(arguments: ModelCall.prompts.keys.sorted())
  func `a function's prompt gets the tool's input`(name: String) async throws {
    let answer = try await create(tool, content: try #require(ModelCall.prompts[name])).json
    #expect(answer?["stop_reason"] == .string("tool_use"))
    #expect(answer?.at("content.0.type") == .string("tool_use"))
    #expect(answer?.at("content.0.id") == .string("toolu_id"))
    #expect(answer?.at("content.0.name") == .string("report"))
    #expect(answer?.at("content.0.input.suggestions")?.array?.count == 3)
  }

  @Test func `any calls the first tool, auto calls none`() async throws {
    let used = try await create(
      #""tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}"#
    )
    #expect(used.json?.at("content.0.name") == .string("a"))
    for choice in ["auto", "none"] {
      let plain = try await create(
        #""tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"\#(choice)"}"#
      )
      #expect(plain.json?["stop_reason"] == .string("end_turn"))
    }
  }

  @Test func `a conversation with blocks is accepted`() async throws {
    let response = try await ModelCall.send(
      """
      {"model":"m","max_tokens":99,"system":[{"type":"text","text":"Be brief."}],"messages":[
      {"role":"user","content":[{"type":"text","text":"Hi"}]},
      {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"a","input":{}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"4"},
      {"type":"text","text":\(JSONValue.string(ModelCall.inJapanese).text)}]}],
      \(tool.replacing(#""system":"Be brief.","#, with: ""))}
      """,
      to: ModelCall.messages
    )
    #expect(response.json?["stop_reason"] == .string("refusal"))
  }

  @Test func `a language that the rules don't know gets a refusal`() async throws {
    let answer = try await create(tool, content: ModelCall.inJapanese).json
    #expect(answer?["stop_reason"] == .string("refusal"))
    #expect(answer?.at("content.0.type") == .string("text"))
  }

  @Test func `an answer that exceeds the limit is cut`() async throws {
    let text = try await create(limit: 2).json
    #expect(text?["stop_reason"] == .string("max_tokens"))
    #expect(text?.at("content.0.text")?.string?.utf8.count == 8)
    let input = try await create(tool, limit: 2).json
    #expect(input?["stop_reason"] == .string("max_tokens"))
    #expect(input?.at("content.0.input") == .object([:]))
  }

  @Test func `a stream has the same content in chunks`() async throws {
    let whole = try await create(tool).json
    let response = try await create(tool + #","stream":true"#)
    #expect(response.header("content-type")?.hasPrefix("text/event-stream") == true)
    let events = try response.events.map { try json($0) }
    let types = events.compactMap { $0["type"]?.string }
    #expect(types.prefix(2) == ["message_start", "content_block_start"])
    #expect(types.suffix(3) == ["content_block_stop", "message_delta", "message_stop"])
    #expect(events.first?.at("message.model") == .string("emulator-rules"))
    let input = events.compactMap { $0.at("delta.partial_json")?.string }.joined()
    #expect(try json(input) == whole?.at("content.0.input"))
    let text = try await create(#""stream":true"#)
    let pieces = try text.events.compactMap { try json($0).at("delta.text")?.string }
    #expect(pieces.count > 1)
    #expect(try await create().json?.at("content.0.text") == .string(pieces.joined()))
    #expect(String(decoding: text.body, as: UTF8.self).hasPrefix("event: message_start\ndata: "))
  }

  @Test func `a wrong or missing key is refused without repeating it`() async throws {
    for headers in [
      ["x-api-key": "nobody's"], ["authorization": "Bearer nobody's"], ["authorization": ""],
    ] {
      let response = try await ModelCall.send("{}", to: ModelCall.messages, headers: headers)
      #expect(response.status == 401)
      #expect(response.json?["type"] == .string("error"))
      #expect(response.json?["request_id"] == .string("req_id"))
      #expect(response.json?.at("error.type") == .string("authentication_error"))
      #expect(response.json?.text.contains("nobody") == false)
    }
    let accepted = try await ModelCall.send(
      #"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"}]}"#,
      to: ModelCall.messages,
      headers: ["authorization": "", "x-api-key": ModelCall.key]
    )
    #expect(accepted.status == 200)
  }

  @Test func `unknown routes are refused in Anthropic's form`() async throws {
    let wrongMethod = try await ModelCall.send("", to: ModelCall.messages, method: "GET")
    #expect(wrongMethod.status == 405)
    #expect(wrongMethod.json?.at("error.type") == .string("invalid_request_error"))
    let unknown = try await ModelCall.send("{}", to: ModelCall.messages + ["batches"])
    #expect(unknown.status == 404)
    #expect(unknown.json?.at("error.type") == .string("not_found_error"))
  }

  @Test func `a request needs a version and a JSON body`() async throws {
    let versionless = try await ModelCall.send(
      "{}",
      to: ModelCall.messages,
      headers: ["anthropic-version": ""]
    )
    #expect(versionless.json?.at("error.message")?.string?.hasPrefix("anthropic-version:") == true)
    for body in [Data("{".utf8), Data([0x22, 0xFF, 0x22]), Data("[]".utf8)] {
      let response = try await ModelCall.send(body, to: ModelCall.messages)
      #expect(response.status == 400)
      #expect(response.json?.at("error.type") == .string("invalid_request_error"))
    }
  }

  @Test(arguments: [
    (#""frobnicate":1"#, "frobnicate: Extra inputs are not permitted"),
    (#""thinking":{"type":"enabled"}"#, "thinking: is not supported by the emulator"),
    (#""temperature":1.5"#, "temperature: Input should be between 0 and 1"),
    (#""stream":1"#, "stream: Input should be a valid boolean"),
    (#""system":7"#, "system: Input should be a valid string or a list of blocks"),
    (#""tools":[{"name":"a"}]"#, "tools.0.input_schema: Field required"),
    (#""tools":[{"name":"a","input_schema":{}}]"#, "tools.0.input_schema.type: Field required"),
    (
      #""tools":[{"name":"a b","input_schema":{}}]"#,
      "tools.0.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"
    ),
    (
      #""tool_choice":{"type":"any"}"#,
      "tool_choice: tool_choice may only be specified while providing tools."
    ),
    (
      #""tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"b"}"#,
      "tool_choice.name: the named tool is not among the provided tools"
    ),
    (
      #""tool_choice":{"type":"all"}"#,
      "tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'"
    ),
  ])
  func `an error names a bad argument`(members: String, message: String) async throws {
    let response = try await create(members)
    #expect(response.status == 400)
    #expect(response.json?.at("error.type") == .string("invalid_request_error"))
    #expect(response.json?.at("error.message") == .string(message))
  }

  @Test(arguments: [
    (#"{"max_tokens":1,"messages":[]}"#, "model:"),
    (#"{"model":"m","messages":[]}"#, "max_tokens:"),
    (#"{"model":"m","max_tokens":0,"messages":[]}"#, "max_tokens:"),
    (#"{"model":"m","max_tokens":1}"#, "messages:"),
    (#"{"model":"m","max_tokens":1,"messages":[]}"#, "messages: at least one"),
    (
      #"{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":"a"}]}"#,
      "messages: first message"
    ),
    (
      #"{"model":"m","max_tokens":1,"messages":[{"role":"system","content":"a"}]}"#,
      "messages.0.role:"
    ),
    (#"{"model":"m","max_tokens":1,"messages":[{"role":"user"}]}"#, "messages.0.content:"),
    (
      #"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":""}]}"#,
      "messages.0.content:"
    ),
    (
      #"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"image"}]}]}"#,
      "messages.0.content.0.type:"
    ),
    (
      #"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a","name":"b"}]}"#,
      "messages.0.name:"
    ),
  ])
  func `an error names a bad message`(body: String, beginning: String) async throws {
    let response = try await ModelCall.send(body, to: ModelCall.messages)
    #expect(response.status == 400)
    #expect(response.json?.at("error.message")?.string?.hasPrefix(beginning) == true)
  }

  @Test func `a prompt that is too long is refused`() async throws {
    let response = try await create(content: String(repeating: "word ", count: 170_000))
    #expect(response.status == 400)
    #expect(response.json?.at("error.message")?.string?.hasPrefix("prompt is too long") == true)
  }
}
