import Core
import HTTPService
import ProviderFakes
import TestKit
import Testing

/// The fake of OpenAI's chat completions.
struct ChatCompletionsTests {
  private func complete(_ members: String, content: String = "Hello") async throws
    -> ServiceResponse
  {
    try await ModelCall.send(body(members, content: content), to: ModelCall.chat)
  }

  private func body(_ members: String, content: String = "Hello") -> String {
    let messages = """
      [{"role":"system","content":"Be brief."},{"role":"user","content":\(JSONValue.string(content).text)}]
      """
    return #"{"model":"gpt-4o","messages":\#(messages)\#(members.isEmpty ? "" : ",\(members)")}"#
  }

  private func format(_ schema: String, strict: Bool = true, name: String = "reply") -> String {
    """
    "response_format":{"type":"json_schema","json_schema":{"name":"\(name)","strict":\(strict),
    "schema":\(schema)}}
    """
  }

  @Test func `a plain request gets a text by the rules`() async throws {
    let response = try await complete("")
    let answer = try #require(response.json)
    #expect(response.status == 200)
    #expect(response.header("x-request-id") == "req_id")
    #expect(answer["id"] == .string("chatcmpl-id"))
    #expect(answer["object"] == .string("chat.completion"))
    #expect(answer["created"] == .integer(7))
    #expect(answer["model"] == .string("emulator-rules"))
    #expect(answer["system_fingerprint"] == .null)
    #expect(answer.at("choices.0.finish_reason") == .string("stop"))
    #expect(answer.at("choices.0.message.role") == .string("assistant"))
    #expect(answer.at("choices.0.message.refusal") == .null)
    #expect(answer.at("choices.0.message.content")?.string?.isEmpty == false)
    let tokens = try ["prompt", "completion", "total"].map {
      try #require(answer.at("usage.\($0)_tokens")?.integer)
    }
    #expect(tokens[0] == 5)
    #expect(tokens[0] + tokens[1] == tokens[2])
  }

  @Test(arguments: ModelCall.prompts.keys.sorted())
  func `a function's prompt gets an object that matches its schema`(name: String) async throws {
    let prompt = try #require(ModelCall.prompts[name])
    let members = format(ModelCall.suggestions, name: name) + #","max_completion_tokens":500"#
    let answer = try await complete(members, content: prompt).json
    let content = try json(try #require(answer?.at("choices.0.message.content")?.string))
    #expect(content["suggestions"]?.array?.count == 3)
    #expect(answer?.at("choices.0.finish_reason") == .string("stop"))
  }

  @Test func `null means omitted, and a text may have several parts`() async throws {
    let response = try await ModelCall.send(
      """
      {"model":"m","tools":null,"stop":null,"n":1,"temperature":2,"messages":[{"role":"user",
      "name":null,"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]}]}
      """,
      to: ModelCall.chat
    )
    #expect(response.status == 200)
    #expect(response.json?.at("usage.prompt_tokens") == .integer(2))
  }

  @Test func `a request for a json_object gets an object`() async throws {
    let answer = try await complete(
      #""response_format":{"type":"json_object"}"#,
      content: "Answer in JSON"
    )
    let content = try json(try #require(answer.json?.at("choices.0.message.content")?.string))
    #expect(content.object != nil)
    let refused = try await complete(#""response_format":{"type":"json_object"}"#)
    #expect(refused.json?.at("error.param") == .string("messages"))
  }

  @Test(arguments: [
    (#"{"type":"function","function":{"name":"report"}}"#, "stop"), (#""required""#, "tool_calls"),
  ])
  func `a required tool is called`(choice: String, reason: String) async throws {
    let answer = try await complete(tools + #","tool_choice":\#(choice)"#).json
    #expect(answer?.at("choices.0.finish_reason") == .string(reason))
    #expect(answer?.at("choices.0.message.content") == .null)
    let call = try #require(answer?.at("choices.0.message.tool_calls.0"))
    #expect(call["id"] == .string("call_id"))
    #expect(call["type"] == .string("function"))
    #expect(call.at("function.name") == .string("report"))
    let arguments = try json(try #require(call.at("function.arguments")?.string))
    #expect(arguments["suggestions"]?.array?.count == 3)
  }

  private var tools: String {
    """
    "tools":[{"type":"function","function":{"name":"report","strict":true,
    "parameters":\(ModelCall.suggestions)}}]
    """
  }

  @Test(arguments: ["", #","tool_choice":"auto""#, #","tool_choice":"none""#])
  func `an optional tool is not called`(choice: String) async throws {
    let answer = try await complete(tools + choice).json
    #expect(answer?.at("choices.0.message.tool_calls") == nil)
    #expect(answer?.at("choices.0.message.content")?.string != nil)
  }

  @Test func `a language that the rules don't know gets a refusal`() async throws {
    let answer = try await complete(format(ModelCall.suggestions), content: ModelCall.inJapanese)
      .json
    #expect(answer?.at("choices.0.message.content") == .null)
    #expect(answer?.at("choices.0.message.refusal")?.string?.isEmpty == false)
    #expect(answer?.at("choices.0.finish_reason") == .string("stop"))
  }

  @Test(arguments: ["max_completion_tokens", "max_tokens"])
  func `an answer that exceeds the limit is cut`(name: String) async throws {
    let answer = try await complete(format(ModelCall.suggestions) + ",\"\(name)\":2").json
    #expect(answer?.at("choices.0.finish_reason") == .string("length"))
    #expect(answer?.at("choices.0.message.content")?.string?.utf8.count == 8)
    #expect(answer?.at("usage.completion_tokens") == .integer(2))
  }

  @Test func `a stream has the same content in chunks`() async throws {
    let whole = try await complete(format(ModelCall.suggestions)).json
    let options = #","stream":true,"stream_options":{"include_usage":true}"#
    let response = try await complete(format(ModelCall.suggestions) + options)
    #expect(response.header("content-type")?.hasPrefix("text/event-stream") == true)
    #expect(response.events.last == "[DONE]")
    let chunks = try response.events.dropLast().map { try json($0) }
    #expect(chunks.allSatisfy { $0["object"] == .string("chat.completion.chunk") })
    #expect(chunks.allSatisfy { $0["model"] == .string("emulator-rules") })
    #expect(chunks.first?.at("choices.0.delta.role") == .string("assistant"))
    let pieces = chunks.compactMap { $0.at("choices.0.delta.content")?.string }
    #expect(pieces.count > 2)
    #expect(.string(pieces.joined()) == whole?.at("choices.0.message.content"))
    let reasons = chunks.compactMap { $0.at("choices.0.finish_reason") }.filter { $0 != .null }
    #expect(reasons == [.string("stop")])
    #expect(chunks.last?["choices"] == .array([]))
    #expect(chunks.last?["usage"] == whole?["usage"])
  }

  @Test func `a tool call is streamed in chunks`() async throws {
    let response = try await complete(tools + #","tool_choice":"required","stream":true"#)
    let chunks = try response.events.dropLast().map { try json($0) }
    let calls = chunks.compactMap { $0.at("choices.0.delta.tool_calls.0") }
    #expect(calls.first?["id"] == .string("call_id"))
    let arguments = calls.compactMap { $0.at("function.arguments")?.string }.joined()
    #expect(try json(arguments)["suggestions"]?.array?.count == 3)
    #expect(chunks.allSatisfy { $0["usage"] == nil })
  }

  @Test func `a wrong or missing key is refused without repeating it`() async throws {
    for (value, code) in [("Bearer nobody's", JSONValue.string("invalid_api_key")), ("", .null)] {
      let response = try await ModelCall.send(
        body(""),
        to: ModelCall.chat,
        headers: ["authorization": value]
      )
      #expect(response.status == 401)
      #expect(response.json?.at("error.type") == .string("invalid_request_error"))
      #expect(response.json?.at("error.code") == code)
      #expect(response.json?.text.contains("nobody") == false)
    }
  }

  @Test func `unknown routes are refused in OpenAI's form`() async throws {
    let wrongMethod = try await ModelCall.send("", to: ModelCall.chat, method: "PUT")
    #expect(wrongMethod.status == 405)
    #expect(wrongMethod.header("allow") == "POST")
    #expect(wrongMethod.json?.at("error.type") == .string("invalid_request_error"))
    let unknown = try await ModelCall.send("{}", to: ["v1", "embeddings"])
    #expect(unknown.status == 404)
    #expect(unknown.json?.at("error.message") != nil)
    let models = try await ModelCall.send("", to: ["v1", "models"], method: "GET")
    #expect(models.json?.at("data.0.id") == .string("emulator-rules"))
  }

  @Test func `a body that isn't JSON is refused`() async throws {
    for body in [Data("{".utf8), Data([0x22, 0xFF, 0x22]), Data(), Data("[]".utf8)] {
      let response = try await ModelCall.send(body, to: ModelCall.chat)
      #expect(response.status == 400)
      #expect(response.json?.at("error.type") == .string("invalid_request_error"))
    }
  }

  @Test func `a context that is too long is refused`() async throws {
    let response = try await complete("", content: String(repeating: "word ", count: 110_000))
    #expect(response.status == 400)
    #expect(response.json?.at("error.code") == .string("context_length_exceeded"))
    #expect(response.json?.at("error.param") == .string("messages"))
  }

  @Test(arguments: [
    (#""frobnicate":1"#, "frobnicate", "unknown_parameter"),
    (#""functions":[]"#, "functions", "unsupported_parameter"),
    (#""stop":["."]"#, "stop", "unsupported_parameter"), (#""n":2"#, "n", "unsupported_value"),
    (#""temperature":2.5"#, "temperature", "decimal_above_max_value"),
    (#""temperature":-1"#, "temperature", "decimal_below_min_value"),
    (#""temperature":"hot""#, "temperature", "invalid_type"),
    (#""max_tokens":0"#, "max_tokens", "integer_below_min_value"),
    (#""max_completion_tokens":1.5"#, "max_completion_tokens", "invalid_type"),
    (#""stream":"yes""#, "stream", "invalid_type"),
    (#""response_format":"json""#, "response_format", "invalid_type"),
    (#""response_format":{"type":"xml"}"#, "response_format.type", "invalid_value"),
    (#""response_format":{"type":"text","a":1}"#, "response_format.a", "unknown_parameter"),
    (
      #""response_format":{"type":"json_schema"}"#, "response_format.json_schema",
      "missing_required_parameter"
    ),
    (
      #""response_format":{"type":"json_schema","json_schema":{"name":"a b"}}"#,
      "response_format.json_schema.name", "invalid_value"
    ),
    (#""tools":[{"type":"function"}]"#, "tools[0].function", "missing_required_parameter"),
    (#""tools":[{"type":"web"}]"#, "tools[0].type", "invalid_value"),
    (
      #""tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"some""#, "tool_choice",
      "invalid_value"
    ),
    (
      #""tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"g"}}"#,
      "tool_choice", "invalid_value"
    ),
  ])
  func `an error names a bad argument`(members: String, param: String, code: String) async throws {
    let response = try await complete(members)
    #expect(response.status == 400)
    #expect(response.json?.at("error.type") == .string("invalid_request_error"))
    #expect(response.json?.at("error.param") == .string(param))
    #expect(response.json?.at("error.code") == .string(code))
  }

  @Test(arguments: [
    (#""tool_choice":"auto""#, "tool_choice"),
    (#""max_tokens":1,"max_completion_tokens":1"#, "max_tokens"),
    (#""stream_options":{"include_usage":true}"#, "stream_options"),
  ])
  func `conflicting arguments are refused`(
    members: String,
    param: String
  ) async throws {
    let response = try await complete(members)
    #expect(response.status == 400)
    #expect(response.json?.at("error.param") == .string(param))
  }

  @Test(arguments: [
    (#"{"messages":[{"role":"user","content":"a"}]}"#, "model"), (#"{"model":"m"}"#, "messages"),
    (#"{"model":"","messages":[{"role":"user","content":"a"}]}"#, "model"),
    (#"{"model":"m","messages":[]}"#, "messages"), (#"{"model":"m","messages":"a"}"#, "messages"),
    (#"{"model":"m","messages":["a"]}"#, "messages[0]"),
    (#"{"model":"m","messages":[{"content":"a"}]}"#, "messages[0].role"),
    (#"{"model":"m","messages":[{"role":"boss","content":"a"}]}"#, "messages[0].role"),
    (#"{"model":"m","messages":[{"role":"user"}]}"#, "messages[0].content"),
    (#"{"model":"m","messages":[{"role":"user","content":7}]}"#, "messages[0].content"),
    (#"{"model":"m","messages":[{"role":"user","content":"a","b":1}]}"#, "messages[0].b"),
    (
      #"{"model":"m","messages":[{"role":"user","content":[{"type":"image_url"}]}]}"#,
      "messages[0].content[0].type"
    ),
    (#"{"model":"m","messages":[{"role":"tool","content":"a"}]}"#, "messages[0].tool_call_id"),
    (
      #"{"model":"m","messages":[{"role":"tool","content":"a","tool_call_id":"c"}]}"#,
      "messages[0].role"
    ),
  ])
  func `an error names a bad message`(body: String, param: String) async throws {
    let response = try await ModelCall.send(body, to: ModelCall.chat)
    #expect(response.status == 400)
    #expect(response.json?.at("error.param") == .string(param))
  }

  @Test(arguments: [
    #"{"type":"array","items":{"type":"string"}}"#, #"{"anyOf":[]}"#,
    #"{"type":"object","properties":{},"required":[]}"#,
    #"{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}"#,
    #"{"type":"object","properties":{},"required":["a"],"additionalProperties":false}"#,
    #"{"type":"object","properties":{"a":{"allOf":[]}},"required":["a"],"additionalProperties":false}"#,
    #"{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}"#,
    #"{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"required":["a"],"additionalProperties":false}"#,
  ])
  func `a schema against the strict rules is refused, unless it isn't strict`(
    schema: String
  ) async throws {
    let refused = try await complete(format(schema))
    #expect(refused.status == 400)
    #expect(refused.json?.at("error.param") == .string("response_format"))
    #expect(refused.json?.at("error.message")?.string?.contains("'reply'") == true)
    #expect(try await complete(format(schema, strict: false)).status == 200)
  }
}
