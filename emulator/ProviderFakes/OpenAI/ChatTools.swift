import Core

/// The tools of a request to chat completions, and the tool that the answer must call.
struct ChatTools {
  /// The parameter schema of each function, by its name.
  private(set) var parameters: JSONObject = [:]
  /// The function that the answer must call, or `nil` if none is required. In that case the answer
  /// calls no function.
  private(set) var forced: ReceivedChatRequest.ForcedTool?

  /// Validates the tools and the tool choice.
  ///
  /// - Parameter request: the fields of the whole request.
  init(_ request: JSONObject) throws(OpenAIError) {
    var names: [String] = []
    if let value = request["tools"] {
      guard let tools = value.array else {
        throw .type(of: "tools", expected: "an array of objects", value)
      }
      for (index, tool) in tools.enumerated() {
        let function = try Self.function(of: tool, at: "tools[\(index)]")
        names.append(function.name)
        parameters[function.name] = function.parameters
      }
    }
    for name in ["tool_choice", "parallel_tool_calls"] where request[name] != nil && names.isEmpty {
      throw OpenAIError(
        message: "'\(name)' is only allowed when 'tools' are specified.",
        param: name
      )
    }
    switch request["tool_choice"] {
    case nil, .string("auto"), .string("none"): break
    case .string("required"):
      forced = names.first.map { .init(name: $0, isNamed: false) }
    case .string(let word):
      throw .value(of: "tool_choice", word, supported: ["none", "auto", "required"])
    case .some(let choice):
      let name = try Self.name(of: choice)
      guard names.contains(name) else {
        throw OpenAIError(
          message: "Tool choice '\(name)' not found in 'tools' parameter.",
          param: "tool_choice",
          code: "invalid_value"
        )
      }
      forced = .init(name: name, isNamed: true)
    }
  }

  private static func name(of choice: JSONValue) throws(OpenAIError) -> String {
    guard choice.object != nil else {
      throw .type(of: "tool_choice", expected: "one of a string or object", choice)
    }
    guard let type = choice["type"]?.string else { throw .missing("tool_choice.type") }
    guard type == "function" else {
      throw .value(of: "tool_choice.type", type, supported: ["function"])
    }
    guard let name = choice["function"]?["name"]?.string else {
      throw .missing("tool_choice.function.name")
    }
    guard name.isToolName else { throw .name("tool_choice.function.name") }
    return name
  }

  private static func function(
    of tool: JSONValue,
    at place: String
  ) throws(OpenAIError) -> (name: String, parameters: JSONValue) {
    guard let members = tool.members else { throw .type(of: place, expected: "an object", tool) }
    if let name = members.unknownName(besides: ["type", "function"]) {
      throw .unknown(name, in: place)
    }
    guard let type = members["type"]?.string else { throw .missing("\(place).type") }
    guard type == "function" else {
      throw .value(of: "\(place).type", type, supported: ["function"])
    }
    guard let function = members["function"]?.members else { throw .missing("\(place).function") }
    let known = ["description", "name", "parameters", "strict"]
    if let name = function.unknownName(besides: known) {
      throw .unknown(name, in: "\(place).function")
    }
    guard let name = function["name"]?.string else { throw .missing("\(place).function.name") }
    guard name.isToolName else { throw .name("\(place).function.name") }
    let parameters = function["parameters"] ?? .object(["type": "object"])
    guard parameters.object != nil else {
      throw .type(of: "\(place).function.parameters", expected: "an object", parameters)
    }
    if function["strict"] == .boolean(true), let violation = StrictSchema.violation(in: parameters)
    {
      throw OpenAIError(
        message: "Invalid schema for function '\(name)': \(violation)",
        param: "\(place).function.parameters",
        code: "invalid_function_parameters"
      )
    }
    return (name, parameters)
  }
}

extension OpenAIError {
  static func name(_ param: String) -> OpenAIError {
    OpenAIError(
      message: "Invalid '\(param)': string does not match pattern. Expected a string that matches "
        + "the pattern '^[a-zA-Z0-9_-]{1,64}$'.",
      param: param,
      code: "invalid_value"
    )
  }
}

extension String {
  /// A Boolean value that indicates whether the text is a valid name of a function or schema.
  var isToolName: Bool {
    (1...64).contains(utf8.count)
      && utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
