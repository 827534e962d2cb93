import Core

/// The tools of a request to Anthropic's Messages API, and the tool that the answer must use.
struct MessagesTools {
  /// The `input_schema` of each tool, by its name.
  private(set) var schemas: JSONObject = [:]
  /// The tool that the answer must use, or `nil` if none is required. In that case the answer is
  /// text.
  private(set) var forced: String?

  private static let known: Set<String> = [
    "cache_control", "description", "input_schema", "name", "strict", "type",
  ]

  /// Validates the tools and the tool choice.
  ///
  /// - Parameter request: the fields of the whole request.
  init(_ request: JSONObject) throws(AnthropicError) {
    var names: [String] = []
    if let value = request["tools"] {
      guard let tools = value.array else {
        throw .invalid("tools", "Input should be a valid list")
      }
      for (index, tool) in tools.enumerated() {
        let (name, schema) = try Self.tool(tool, at: "tools.\(index)")
        guard !names.contains(name) else { throw .invalid("tools", "Tool names must be unique.") }
        names.append(name)
        schemas[name] = schema
      }
    }
    guard let choice = request["tool_choice"] else { return }
    guard let members = choice.members else {
      throw .invalid("tool_choice", "Input should be an object")
    }
    guard let type = members["type"] else { throw .missing("tool_choice.type") }
    var known: Set<String> = ["type", "disable_parallel_tool_use"]
    switch type {
    case "none": known = ["type"]
    case "tool": known.insert("name")
    case "auto", "any": break
    default:
      throw .invalid("tool_choice.type", "Input should be 'auto', 'any', 'tool' or 'none'")
    }
    try AnthropicError.checkNames(of: members, known: known, at: "tool_choice")
    guard let first = names.first else {
      throw .invalid("tool_choice", "tool_choice may only be specified while providing tools.")
    }
    if type == "any" { forced = first }
    guard type == "tool" else { return }
    guard let name = members["name"]?.string else { throw .missing("tool_choice.name") }
    guard names.contains(name) else {
      throw .invalid("tool_choice.name", "the named tool is not among the provided tools")
    }
    forced = name
  }

  private static func tool(
    _ tool: JSONValue,
    at place: String
  ) throws(AnthropicError) -> (name: String, schema: JSONValue) {
    guard let members = tool.members else { throw .invalid(place, "Input should be an object") }
    if let type = members["type"], type != "custom" { throw .notBuilt("\(place).type") }
    try AnthropicError.checkNames(of: members, known: known, at: place)
    guard let name = members["name"]?.string else { throw .missing("\(place).name") }
    guard name.isToolName else {
      throw .invalid("\(place).name", "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
    }
    guard let schema = members["input_schema"] else { throw .missing("\(place).input_schema") }
    guard schema.object != nil else {
      throw .invalid("\(place).input_schema", "Input should be an object")
    }
    guard schema["type"] == "object" else {
      throw schema["type"] == nil
        ? .missing("\(place).input_schema.type")
        : .invalid("\(place).input_schema.type", "Input should be 'object'")
    }
    return (name, schema)
  }
}
