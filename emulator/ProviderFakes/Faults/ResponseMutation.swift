import Core
import HTTPService

/// The conversion of a model's or translator's correct answer into a faulty one.
struct ResponseMutation {
  private let kind: FaultKind
  /// The schema of a model's structured answer; null for a translator's answer.
  private let schema: JSONValue

  init(_ kind: FaultKind, _ request: ServiceRequest) {
    self.kind = kind
    let body = (try? JSONValue(parsing: request.body)) ?? .null
    schema =
      body["response_format"]?["json_schema"]?["schema"]
      ?? body["tools"]?.array?.first?["input_schema"] ?? .null
  }

  /// Returns the response with a faulty body.
  ///
  /// - Parameter response: a complete response of status 200.
  func apply(to response: ServiceResponse) -> ServiceResponse {
    guard let answer = try? JSONValue(parsing: response.body) else { return response }
    var changed = response
    changed.body = Data(changedAnswer(answer).line.utf8)
    return changed
  }

  private func changedAnswer(_ answer: JSONValue) -> JSONValue {
    if let choices = answer["choices"]?.array {
      return answer.with("choices", .array(choices.map(choice)))
    }
    if answer["type"] == "message" { return message(answer) }
    return translation(answer)
  }

  // MARK: OpenAI

  private func choice(_ choice: JSONValue) -> JSONValue {
    let message = choice["message"] ?? .null
    let text = message["content"]?.string ?? ""
    switch kind {
    case .length:
      return choice.with("finish_reason", "length")
        .with("message", message.with("content", .string(String(text.prefix(text.count / 2)))))
    case .contentFilter:
      return choice.with("finish_reason", "content_filter")
        .with("message", message.with("content", .null))
    case .refusal:
      return choice.with(
        "message",
        message.with("content", .null).with("refusal", "I can't help with that.")
      )
    default:
      let value = (try? JSONValue(parsing: Data(text.utf8))).map { worded($0, schema).line }
      return choice.with("message", message.with("content", .string(value ?? words(0))))
    }
  }

  // MARK: Anthropic

  private func message(_ message: JSONValue) -> JSONValue {
    switch kind {
    case .length:
      let blocks = (message["content"]?.array ?? []).map { block in
        block["type"] == "tool_use" ? block.with("input", .object([:])) : block
      }
      return message.with("stop_reason", "max_tokens").with("content", .array(blocks))
    case .refusal, .contentFilter:
      return message.with("stop_reason", "refusal").with("content", .array([]))
    default:
      let blocks = (message["content"]?.array ?? []).map { block in
        block["input"].map { block.with("input", worded($0, schema)) }
          ?? block.with("text", .string(words(0)))
      }
      return message.with("content", .array(blocks))
    }
  }

  // MARK: Text

  private func translation(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, member in
            let isText = name == "translatedText" && member.string != nil
            return (name, isText ? .string(words(0)) : translation(member))
          }
        )
      )
    case .array(let values): .array(values.map(translation))
    default: value
    }
  }

  /// Returns the value with every text replaced, except where the schema is an enumeration.
  private func worded(_ value: JSONValue, _ schema: JSONValue, _ index: Int = 0) -> JSONValue {
    switch value {
    case .string: schema["enum"] == nil ? .string(words(index)) : value
    case .array(let values):
      .array(
        values.enumerated().map { worded($1, schema["items"] ?? .null, $0 + 1) }
      )
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, member in
            (name, worded(member, schema["properties"]?[name.string] ?? .null, index))
          }
        )
      )
    default: value
    }
  }

  /// Returns the replacement text.
  ///
  /// - Parameter index: the number that makes the texts of a list differ.
  private func words(_ index: Int) -> String {
    switch kind {
    case .wrongLanguage:
      "これは誰も頼んでいない言葉で書かれた答えです" + String(repeating: "よ", count: index) + "。"
    case .link:
      "<a href=\"https://emulator.invalid/\(index)\">emulator.invalid</a> \(index)"
    default: "xyzzy \(index) plugh"
    }
  }
}

extension JSONValue {
  fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }
}
