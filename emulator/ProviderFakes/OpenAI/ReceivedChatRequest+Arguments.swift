import Core

/// The validation of the arguments other than messages, tools and the response format.
///
/// Source: the parameters of `chat.completions.create` in OpenAI's published Python client.
extension ReceivedChatRequest {
  private static let known: Set<String> = [
    "max_completion_tokens", "max_tokens", "messages", "metadata", "modalities", "model", "n",
    "parallel_tool_calls", "presence_penalty", "frequency_penalty", "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed",
    "service_tier", "store", "stream", "stream_options", "temperature", "tool_choice", "tools",
    "top_p", "user", "verbosity",
  ]

  /// The arguments that the API supports and the fake doesn't. Each would change the answer.
  private static let notBuilt: Set<String> = [
    "audio", "function_call", "functions", "logit_bias", "logprobs", "moderation", "prediction",
    "stop", "top_logprobs", "web_search_options",
  ]

  static func checkNames(of members: JSONObject) throws(OpenAIError) {
    if let name = members.unknownName(besides: known) {
      throw notBuilt.contains(name) ? .unsupported(name) : .unknown(name)
    }
  }

  static func checkScalars(in members: JSONObject) throws(OpenAIError) {
    for (name, range) in [
      ("frequency_penalty", -2.0...2), ("presence_penalty", -2...2), ("temperature", 0...2),
      ("top_p", 0...1),
    ] {
      if let value = members[name] { try check(value, of: name, in: range) }
    }
    for name in ["max_completion_tokens", "max_tokens", "n"] {
      guard let value = members[name] else { continue }
      guard let number = value.wholeNumber else {
        throw .type(of: name, expected: "an integer", value)
      }
      guard number >= 1 else {
        throw OpenAIError(
          message: "Invalid '\(name)': integer below minimum value. Expected a value >= 1, but "
            + "got \(number) instead.",
          param: name,
          code: "integer_below_min_value"
        )
      }
    }
    if members["max_completion_tokens"] != nil, members["max_tokens"] != nil {
      throw OpenAIError(
        message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not "
          + "supported.",
        param: "max_tokens"
      )
    }
    if let number = members["n"]?.wholeNumber, number > 1 {
      throw OpenAIError(
        message: "'n' other than 1 is not supported by the emulator.",
        param: "n",
        code: "unsupported_value"
      )
    }
    for name in ["parallel_tool_calls", "store", "stream"] {
      guard let value = members[name] else { continue }
      guard case .boolean = value else { throw .type(of: name, expected: "a boolean", value) }
    }
    if let seed = members["seed"], seed.wholeNumber == nil {
      throw .type(of: "seed", expected: "an integer", seed)
    }
    if let modalities = members["modalities"], modalities != .array(["text"]) {
      throw .unsupported("modalities")
    }
  }

  private static func check(
    _ value: JSONValue,
    of name: String,
    in range: ClosedRange<Double>
  ) throws(OpenAIError) {
    guard let number = value.decimal else { throw .type(of: name, expected: "a decimal", value) }
    guard !range.contains(number) else { return }
    let isBelow = number < range.lowerBound
    let bound = Int(isBelow ? range.lowerBound : range.upperBound)
    throw OpenAIError(
      message: "Invalid '\(name)': decimal \(isBelow ? "below minimum" : "above maximum") value. "
        + "Expected a value \(isBelow ? ">=" : "<=") \(bound), but got \(value.line) instead.",
      param: name,
      code: isBelow ? "decimal_below_min_value" : "decimal_above_max_value"
    )
  }
}
